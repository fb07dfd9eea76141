package io.linerate.core.worker;

import io.linerate.core.driver.ThreadCalls;
import io.linerate.core.port.RxQueue;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Sleeps in ppoll(2) until a packet comes, where receive queues can tell, or somebody ends the
 * sleep. One thread's own.
 *
 * <pre>
 *   struct pollfd (8):    0 descriptor | 4 events asked for u16 | 6 events that are u16
 *   struct timespec (16): 0 s | 8 ns
 * </pre>
 */
final class PollWait {
  private static final int POLLFD_BYTES = 8;
  private static final short POLLIN = 1;

  private final WakeUp wakeUp;
  private final MemorySegment timeout = Arena.ofAuto().allocate(16, 8);
  private MemorySegment descriptors = Arena.ofAuto().allocate(POLLFD_BYTES, 8);

  PollWait(WakeUp wakeUp) {
    this.wakeUp = wakeUp;
  }

  /**
   * Waits until one of the queues has packets or the sleep is ended, at most {@code mostNs}, and
   * {@link WorkerTask#POLL_NS} if one of the queues cannot tell.
   */
  void await(PolledQueue[] queues, WorkerTasks tasks, long mostNs) {
    if (!wakeUp.begin()) {
      return;
    }
    long bytes = (queues.length + 1L) * POLLFD_BYTES;
    if (descriptors.byteSize() < bytes) {
      descriptors = Arena.ofAuto().allocate(bytes, 8);
    }
    int ownDescriptor = wakeUp.descriptor();
    int count = 0;
    if (ownDescriptor >= 0) {
      add(count++, ownDescriptor);
    }
    long waitNs = Math.min(mostNs, tasks.restNs(wakeUp));
    waitNs = count == 0 ? Math.min(waitNs, WorkerTask.POLL_NS) : waitNs;
    for (int i = 0; i < queues.length && waitNs > 0; i++) {
      int descriptor = queues[i].queue.waitFor(wakeUp);
      switch (descriptor) {
        case RxQueue.CANNOT_TELL -> waitNs = Math.min(waitNs, WorkerTask.POLL_NS);
        case RxQueue.HAS_PACKETS -> waitNs = 0;
        case RxQueue.WAKES -> {}
        default -> add(count++, descriptor);
      }
    }
    boolean isReadable = false;
    if (waitNs > 0) {
      timeout.setAtIndex(ValueLayout.JAVA_LONG, 0, waitNs / 1_000_000_000);
      timeout.setAtIndex(ValueLayout.JAVA_LONG, 1, waitNs % 1_000_000_000);
      // Which queue has packets does not matter: all are polled next.
      int ready = ThreadCalls.ppoll(descriptors.address(), count, timeout.address());
      isReadable = ready > 0 && ownDescriptor >= 0 && isReadable(0);
    }
    wakeUp.end(isReadable);
  }

  private void add(int index, int descriptor) {
    descriptors.setAtIndex(ValueLayout.JAVA_INT, 2L * index, descriptor);
    descriptors.setAtIndex(ValueLayout.JAVA_SHORT, 4L * index + 2, POLLIN);
  }

  private boolean isReadable(int index) {
    return descriptors.getAtIndex(ValueLayout.JAVA_SHORT, 4L * index + 3) != 0;
  }
}
