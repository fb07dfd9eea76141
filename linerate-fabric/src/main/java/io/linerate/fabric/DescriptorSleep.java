package io.linerate.fabric;

import io.linerate.core.driver.ThreadCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.locks.LockSupport;

/** Sleeps until a file descriptor is readable: ppoll(2); where there is none, for a short time. */
final class DescriptorSleep {
  private static final short POLLIN = 1;
  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  /** As often a queue without a descriptor is looked at. */
  private static final long SHORT_NS = 50_000;

  /** What comes after this time is worth less of a CPU. */
  private static final long LONG_WAIT_NS = 10_000_000;

  private static final long LONG_NS = 200_000;

  private final int descriptor;
  private final MemorySegment pollfd;
  private final MemorySegment timespec;

  /**
   * @param descriptor negative where there is none
   */
  DescriptorSleep(Arena arena, int descriptor) {
    this.descriptor = descriptor;
    pollfd = arena.allocate(8, Long.BYTES);
    timespec = arena.allocate(16, Long.BYTES);
    pollfd.set(ValueLayout.JAVA_INT, 0, descriptor);
    pollfd.set(ValueLayout.JAVA_SHORT, 4, POLLIN);
  }

  /** Without the descriptor: for a short time, a longer one after a long wait. */
  void briefly(long waitedNs, long atMostNs) {
    LockSupport.parkNanos(Math.min(atMostNs, waitedNs < LONG_WAIT_NS ? SHORT_NS : LONG_NS));
  }

  boolean hasDescriptor() {
    return descriptor >= 0;
  }

  int descriptor() {
    return descriptor;
  }

  void sleep(long atMostNs) {
    if (descriptor < 0) {
      briefly(0, atMostNs);
      return;
    }
    timespec.set(ValueLayout.JAVA_LONG, 0, atMostNs / NANOS_PER_SECOND);
    timespec.set(ValueLayout.JAVA_LONG, 8, atMostNs % NANOS_PER_SECOND);
    int _ = ThreadCalls.ppoll(pollfd.address(), 1, timespec.address());
  }
}
