package io.linerate.driver.dpdk;

import io.linerate.core.driver.ThreadCalls;
import io.linerate.core.port.RxQueue;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The interrupt of a receive queue, for whoever waits for a packet: an eventfd(2), which the device
 * writes when a packet comes while the interrupt is armed (rte_eth_dev_rx_intr_enable), or another
 * descriptor that is readable as long as packets wait. One thread's own.
 */
final class RxInterrupt {
  private static final int NONE = -1;

  /** Its descriptors cannot be read without waiting, and have to be read. */
  private static final String UIO = "/dev/uio";

  private final int port;
  private final int queue;
  private final MemorySegment read = Arena.ofAuto().allocate(8, 8);
  private boolean isKnown;
  private int descriptor = NONE;

  /** Whether it stays readable until it is read. */
  private boolean isEvent;

  private boolean isArmed;

  RxInterrupt(int port, int queue) {
    this.port = port;
    this.queue = queue;
  }

  /** Whether packets can be waited for. */
  boolean isThere() {
    if (!isKnown) {
      isKnown = true;
      int found = ShimFunction.RX_DESCRIPTOR.call(port, queue);
      String file = found < 0 ? UIO : file(found);
      if (!file.startsWith(UIO) && DpdkLibrary.rxArm(port, queue, true) >= 0) {
        int _ = DpdkLibrary.rxArm(port, queue, false);
        descriptor = found;
        isEvent = file.contains("[eventfd]");
      }
    }
    return descriptor >= 0;
  }

  private static String file(int descriptor) {
    try {
      return Files.readSymbolicLink(Path.of("/proc/self/fd", Integer.toString(descriptor)))
          .toString();
    } catch (IOException e) {
      return UIO; // It was closed.
    }
  }

  /** See {@link RxQueue#waitFor}. */
  int arm() {
    if (!isThere()) {
      return RxQueue.CANNOT_TELL;
    }
    int waiting = DpdkLibrary.rxArm(port, queue, true);
    isArmed = waiting >= 0;
    if (waiting > 0) {
      return RxQueue.HAS_PACKETS;
    }
    return isArmed ? descriptor : RxQueue.CANNOT_TELL;
  }

  boolean isArmed() {
    return isArmed;
  }

  /** Packets are polled for again. */
  void disarm() {
    isArmed = false;
    int _ = DpdkLibrary.rxArm(port, queue, false);
    if (isEvent) {
      ThreadCalls.clear(descriptor, read);
    }
  }
}
