package io.linerate.driver.linux.xdp;

import io.linerate.core.driver.Errno;
import io.linerate.core.port.PortException;
import io.linerate.driver.linux.xdp.XdpAddress.Switch;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;

/**
 * Binds the sockets of a port. The first registers the packet memory, and finds out how frames get
 * there: written by the device (zero-copy) or copied by the kernel. The others share its memory and
 * its ways.
 *
 * <p>Each port registers the memory for itself, because a driver that can write to it and one that
 * cannot do not get along on one registration (xp_assign_dev_shared of net/xdp/xsk_buff_pool.c).
 * The pages, and so the packets, are the same.
 */
record SocketBinding(XdpPlan plan, Umem umem, XdpMode mode) {
  /**
   * How long a queue may stay busy: the kernel lets go of it only when the last frame that an
   * earlier socket sent is gone, and that on a thread of its own (xp_put_pool).
   */
  private static final long BUSY_MS = 2_000;

  private static final long RETRY_MS = 5;

  /** Binds a socket for each queue and adds it, also when a later one fails. */
  void bind(List<XdpSocket> sockets) {
    sockets.add(first(plan.queues().getFirst()));
    XdpSocket first = sockets.getFirst();
    for (int i = 1; i < plan.address().spread(); i++) { // With the rings of the first.
      sockets.add(
          bound(
              () -> XdpSocket.open(plan.networkInterface(), first.queue(), plan.entries(), 0),
              socket -> socket.bindShared(first)));
    }
    for (int queue : plan.queues().subList(1, plan.queues().size())) {
      sockets.add(
          bound(
              () ->
                  XdpSocket.open(
                      plan.networkInterface(), queue, plan.entries(), plan.queueEntries()),
              socket -> socket.bindShared(first)));
    }
  }

  private XdpSocket first(int queue) {
    Switch zeroCopy = plan.address().zeroCopy();
    if (zeroCopy == Switch.ON && mode != XdpMode.NATIVE) {
      throw noZeroCopy("zero-copy needs native XDP", queue);
    }
    if (zeroCopy != Switch.OFF && mode == XdpMode.NATIVE) {
      XdpSocket socket = open(queue);
      int result = socket.bind(flags(XdpSocket.BIND_ZERO_COPY));
      if (result >= 0) {
        return socket;
      }
      socket.close();
      if (zeroCopy == Switch.ON && result != -Errno.EBUSY) {
        throw noZeroCopy("no zero-copy", queue);
      }
    }
    int way = zeroCopy == Switch.ON ? XdpSocket.BIND_ZERO_COPY : XdpSocket.BIND_COPY;
    if (mode == XdpMode.GENERIC) {
      int withSegments = flags(way) | XdpSocket.BIND_SEGMENTS;
      XdpSocket socket = open(queue);
      int result = socket.bind(withSegments);
      if (result >= 0) {
        return socket;
      }
      socket.close();
      if (result != -Errno.EINVAL) { // Otherwise before Linux 6.6: what is too long is lost.
        return bound(() -> open(queue), next -> next.bind(withSegments));
      }
    }
    return bound(() -> open(queue), socket -> socket.bind(flags(way)));
  }

  private PortException noZeroCopy(String what, int queue) {
    return new PortException(
        "%s: interface=%s, driver=%s, queue=%d; use zerocopy=auto"
            .formatted(
                what, plan.networkInterface().name(), plan.networkInterface().driver(), queue));
  }

  /** Makes and binds a socket, and another for as long as the queue is busy. */
  private XdpSocket bound(Supplier<XdpSocket> open, ToIntFunction<XdpSocket> bind) {
    long start = System.nanoTime();
    while (true) {
      XdpSocket socket = open.get();
      int result = bind.applyAsInt(socket);
      if (result >= 0) {
        return socket;
      }
      PortException failure = refused(socket, result);
      socket.close();
      boolean isLate = System.nanoTime() - start > BUSY_MS * 1_000_000;
      if (result != -Errno.EBUSY || isLate) {
        throw failure;
      }
      pause();
    }
  }

  private static void pause() {
    try {
      Thread.sleep(RETRY_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new PortException("interrupted while a queue was busy", e);
    }
  }

  private XdpSocket open(int queue) {
    XdpSocket socket =
        XdpSocket.open(plan.networkInterface(), queue, plan.entries(), plan.queueEntries());
    try {
      socket.register(umem);
      return socket;
    } catch (RuntimeException e) {
      socket.close();
      throw e;
    }
  }

  private int flags(int way) {
    int segments = plan.needsSegments(umem) ? XdpSocket.BIND_SEGMENTS : 0;
    return way | segments | XdpSocket.BIND_NEED_WAKEUP;
  }

  private PortException refused(XdpSocket socket, int result) {
    if (result == -Errno.EINVAL && plan.needsSegments(umem)) {
      return new PortException(
          "MTU is larger than a frame of this kernel's AF_XDP: interface=%s, mtu=%d, most=%d; run: sudo ip link set dev %s mtu 1500, or use Linux 6.6 or newer"
              .formatted(
                  plan.networkInterface().name(),
                  plan.networkInterface().mtuBytes(),
                  umem.roomBytes() - (plan.maxFrameBytes() - plan.networkInterface().mtuBytes()),
                  plan.networkInterface().name()));
    }
    return socket.failed(
        "socket cannot be bound",
        result,
        result == -Errno.EBUSY
            ? "another program has a socket on this queue: end it, or use other queues"
            : "look into the kernel's log (dmesg)");
  }
}
