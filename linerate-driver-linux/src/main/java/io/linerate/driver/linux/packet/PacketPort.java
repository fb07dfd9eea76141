package io.linerate.driver.linux.packet;

import io.linerate.core.driver.BufferPool;
import io.linerate.core.driver.Segmenter;
import io.linerate.core.driver.SystemCalls;
import io.linerate.core.port.FilterSettings;
import io.linerate.core.port.FlowSteering;
import io.linerate.core.port.PortException;
import io.linerate.core.port.PortRequest;
import io.linerate.core.port.PortStatistics;
import io.linerate.core.port.QueueCounts;
import io.linerate.core.port.SteeringTable;
import io.linerate.driver.linux.LinuxPort;
import io.linerate.driver.linux.NetInterface;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An interface of the kernel: a socket with a ring for each receive queue, and one for each
 * transmit queue.
 */
final class PacketPort extends LinuxPort<PacketRxQueue, PacketTxQueue> {
  private static final int COPY_HEADROOM_BYTES = 128;
  private static final int MAX_COPIES = 1_024;

  private final PacketAddress options;
  private final NetInterface netInterface;
  private final Consumer<PacketRxQueue> leftOver;
  private final SystemCalls statisticsCalls = new SystemCalls();

  /** What the kernel has counted and forgotten: losses, and blocks found in use. */
  private final long[] lossesAndFreezes = new long[2];

  /** What keeps packets away that the engine's filter would reject; empty: nothing does. */
  private final long[] filter;

  /** Null with one queue. */
  private @Nullable SteeringTable steering;

  private boolean closed;

  private PacketPort(
      PortRequest request,
      PacketAddress options,
      NetInterface netInterface,
      Consumer<PacketRxQueue> leftOver) {
    super(request);
    this.options = options;
    this.netInterface = netInterface;
    this.leftOver = leftOver;
    filter = FilterSettings.kernelProgram(request.config());
  }

  /**
   * Opens all sockets, or none.
   *
   * @param leftOver is given the queues in whose rings packets lie that others hold when the port
   *     closes
   */
  static PacketPort open(
      PortRequest request, PacketAddress options, Consumer<PacketRxQueue> leftOver) {
    NetInterface netInterface = usable(NetInterface.read(options.interfaceName()));
    PacketPort port = new PacketPort(request, options, netInterface, leftOver);
    try {
      port.openSockets();
      return port;
    } catch (RuntimeException e) {
      port.close();
      throw e;
    }
  }

  private static NetInterface usable(NetInterface netInterface) {
    if (!netInterface.isUp()) {
      throw new PortException(
          "interface is down: interface=%s; run: sudo ip link set dev %s up"
              .formatted(netInterface.name(), netInterface.name()));
    }
    int type = netInterface.hardwareType();
    if (type != NetInterface.ETHERNET && type != NetInterface.LOOPBACK) {
      throw new PortException(
          "interface does not carry Ethernet frames: interface=%s, hardware type=%d; name another, or write libpcap:%s"
              .formatted(netInterface.name(), type, netInterface.name()));
    }
    return netInterface;
  }

  @Override
  protected NetInterface netInterface() {
    return netInterface;
  }

  private void openSockets() {
    int queues = options.queues() == 0 ? request.rxQueues() : options.queues();
    if (options.fanout() == Fanout.QM && queues > netInterface.rxQueues()) {
      throw new PortException(
          "too many queues: queues=%d, receive queues of %s=%d; use another fanout, or: sudo ethtool -L %s combined %d"
              .formatted(
                  queues,
                  netInterface.name(),
                  netInterface.rxQueues(),
                  netInterface.name(),
                  queues));
    }
    int group = PacketSocket.NO_GROUP;
    for (int i = 0; i < queues; i++) {
      PacketRxQueue queue = openRxQueue(i);
      rxQueues.add(queue);
      if (queues > 1) {
        group = queue.socket().fanout(options.fanout(), group);
      }
    }
    if (queues > 1) {
      steering =
          FanoutRules.steering(request, options.fanout(), rxQueues.getFirst().socket(), queues);
    }
    for (int i = 0; i < request.txQueues(); i++) {
      txQueues.add(openTxQueue());
    }
  }

  @Override
  public @Nullable FlowSteering steering() {
    return steering;
  }

  private PacketRxQueue openRxQueue(int index) {
    SystemCalls calls = new SystemCalls();
    PacketSocket socket = PacketSocket.open(netInterface, calls);
    RxRing ring = null;
    try {
      ring = RxRing.map(socket, calls, options.rxFrames());
      socket.refuseAll();
      socket.bindToReceive();
      Boolean promiscuous = options.promiscuous();
      if (promiscuous == null ? request.config().promiscuous() : promiscuous) {
        socket.promiscuous();
      }
      return new PacketRxQueue(socket, ring, headers(index, ring), copies(index));
    } catch (RuntimeException e) {
      close(ring);
      socket.close();
      throw e;
    }
  }

  private static void close(@Nullable RxRing ring) {
    if (ring != null) {
      ring.close();
    }
  }

  private BufferPool headers(int index, RxRing ring) {
    return request
        .pools()
        .createHeaders(request.name() + "-" + index, request.config().buffers(), ring.blocks());
  }

  private BufferPool copies(int index) {
    return request
        .pools()
        .create(
            request.name() + "-copies-" + index,
            Math.min(MAX_COPIES, request.config().buffers()),
            COPY_HEADROOM_BYTES,
            Math.min(netInterface.mtuBytes(), request.config().mtu()) + Segmenter.LINK_BYTES);
  }

  private PacketTxQueue openTxQueue() {
    SystemCalls calls = new SystemCalls();
    PacketSocket socket = PacketSocket.open(netInterface, calls);
    try {
      socket.bindToSend(options.bypass());
    } catch (RuntimeException e) {
      socket.close();
      throw e;
    }
    return new PacketTxQueue(
        request.name(),
        socket,
        calls,
        request.pools(),
        options.txSlots(),
        options.calls(),
        options.bypass(),
        request.config().drainUs() * 1_000L);
  }

  @Override
  public void start() {
    for (PacketRxQueue queue : rxQueues) {
      if (rxQueues.size() > 1) {
        queue.socket().acceptIncoming(filter);
      } else {
        queue.socket().accept(filter);
      }
    }
  }

  @Override
  public synchronized PortStatistics statistics() {
    long[] rx =
        QueueCounts.sum(PacketRxQueue.COUNTERS, rxQueues.stream().map(queue -> queue.counts));
    for (PacketRxQueue queue : rxQueues) {
      if (!closed) {
        queue.socket().addLosses(statisticsCalls, lossesAndFreezes);
      }
    }
    long[] tx =
        QueueCounts.sum(PacketTxQueue.COUNTERS, txQueues.stream().map(queue -> queue.counts));
    return new PortStatistics(
        rx,
        tx,
        lossesAndFreezes[0],
        rx[PacketRxQueue.ERRORS] + tx[PacketTxQueue.ERRORS],
        extended(rx, tx));
  }

  private Map<String, Long> extended(long[] rx, long[] tx) {
    Map<String, Long> extended = new TreeMap<>();
    extended.put("rx_system_calls", rx[PacketRxQueue.CALLS]);
    extended.put("rx_checksums_completed", rx[PacketRxQueue.CHECKSUMS]);
    extended.put("rx_vlan_tags_restored", rx[PacketRxQueue.TAGS]);
    extended.put("rx_super_packets", rx[PacketRxQueue.SUPER_PACKETS]);
    extended.put("rx_cut", rx[PacketRxQueue.ERRORS]);
    extended.put("rx_copied", rx[PacketRxQueue.COPIED]);
    extended.put("rx_ring_freezes", lossesAndFreezes[1]);
    extended.put("tx_system_calls", tx[PacketTxQueue.CALLS]);
    extended.put("tx_too_long", tx[PacketTxQueue.TOO_LONG]);
    extended.put("tx_too_many_segments", tx[PacketTxQueue.TOO_MANY_SEGMENTS]);
    if (filter.length > 0) {
      extended.put(PortStatistics.IS_FILTERED_BY_KERNEL, 1L);
    }
    return extended;
  }

  /** A packet that somebody still holds lies in its ring, which stays mapped then. */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    var _ = statistics();
    closed = true;
    if (steering != null) {
      steering.close();
    }
    txQueues.forEach(PacketTxQueue::close);
    for (PacketRxQueue queue : rxQueues) {
      queue.close();
      queue.releasePools(request.pools());
      if (queue.isHome()) {
        queue.ring().close();
      } else {
        leftOver.accept(queue);
      }
    }
  }
}
