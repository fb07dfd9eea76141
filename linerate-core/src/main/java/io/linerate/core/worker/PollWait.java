package io.linerate.core.worker;

import io.linerate.core.driver.ThreadCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Sleeps in ppoll(2) until a packet comes: for receive queues that the kernel fills, and that have
 * a descriptor to wait on. One thread's own.
 *
 * <pre>
 *   struct pollfd (8):    0 descriptor | 4 events asked for u16 | 6 events that are u16
 *   struct timespec (16): 0 s | 8 ns
 * </pre>
 */
final class PollWait {
  private static final int POLLFD_BYTES = 8;
  private static final short POLLIN = 1;

  private final MemorySegment timeout = Arena.ofAuto().allocate(16, 8);
  private MemorySegment descriptors = Arena.ofAuto().allocate(POLLFD_BYTES, 8);

  /**
   * Waits until one of the queues has packets, at most {@code timeoutNs}.
   *
   * @return false, at once, if not all of them can be waited for
   */
  boolean await(PolledQueue[] queues, long timeoutNs) {
    if (queues.length == 0) {
      return false;
    }
    long needed = (long) queues.length * POLLFD_BYTES;
    if (descriptors.byteSize() < needed) {
      descriptors = Arena.ofAuto().allocate(needed, 8);
    }
    for (int i = 0; i < queues.length; i++) {
      int descriptor = queues[i].queue.waitDescriptor();
      if (descriptor < 0) {
        return false;
      }
      descriptors.setAtIndex(ValueLayout.JAVA_INT, 2L * i, descriptor);
      descriptors.setAtIndex(ValueLayout.JAVA_SHORT, 4L * i + 2, POLLIN);
    }
    timeout.setAtIndex(ValueLayout.JAVA_LONG, 0, timeoutNs / 1_000_000_000);
    timeout.setAtIndex(ValueLayout.JAVA_LONG, 1, timeoutNs % 1_000_000_000);
    // What it returns does not matter: the queues are polled next, whatever ended the wait.
    int _ = ThreadCalls.ppoll(descriptors.address(), queues.length, timeout.address());
    return true;
  }
}
