package io.linerate.core.worker;

import io.linerate.core.balance.AssignedQueue;
import java.util.Arrays;

/** The receive queues that a worker has at the moment. For its thread, and before it runs. */
final class PolledQueues {
  private final int burst;
  private final PollWait pollWait = new PollWait();

  // An array: the iterator of a list is an object for each burst until the code is compiled.
  private PolledQueue[] queues = new PolledQueue[0];

  /**
   * @param burst packets that a queue is asked for
   */
  PolledQueues(int burst) {
    this.burst = burst;
  }

  void attach(PolledQueue queue) {
    queues = Arrays.copyOf(queues, queues.length + 1);
    queues[queues.length - 1] = queue;
  }

  /** Whether the queue was there; it is not any more. */
  @SuppressWarnings("ReferenceEquality")
  boolean detach(AssignedQueue queue) {
    int before = queues.length;
    queues = Arrays.stream(queues).filter(one -> one.assigned != queue).toArray(PolledQueue[]::new);
    return queues.length < before;
  }

  /** As they are now: replaced when one comes or leaves. */
  PolledQueue[] all() {
    return queues;
  }

  int count() {
    return queues.length;
  }

  /** Packets that a queue is asked for. */
  int burst() {
    return burst;
  }

  /** Packets that the last poll of a queue brought. */
  int lastBurst(int index) {
    return queues[index].lastBurst;
  }

  /**
   * Packets that wait in a queue. What the last poll brought, where the port does not know: a queue
   * that brought a full burst has more.
   */
  int waiting(int index) {
    int waiting = queues[index].queue.waiting();
    return waiting < 0 ? queues[index].lastBurst : waiting;
  }

  /** Waits until one of the queues has packets: see {@link PollWait#await}. */
  boolean await(long timeoutNs) {
    return pollWait.await(queues, timeoutNs);
  }
}
