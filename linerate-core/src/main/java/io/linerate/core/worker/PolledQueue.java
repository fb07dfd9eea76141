package io.linerate.core.worker;

import io.linerate.core.balance.AssignedQueue;
import io.linerate.core.port.RxQueue;

/** A receive queue that a worker polls, and the worker's handler of its packets. */
final class PolledQueue {
  final AssignedQueue assigned;
  final RxQueue queue;
  final InputHandler handler;

  /** Packets that the last poll brought. */
  int lastBurst;

  PolledQueue(AssignedQueue assigned, InputHandler handler) {
    this.assigned = assigned;
    this.handler = handler;
    queue = assigned.queue();
  }

  /** A poll brought packets. */
  void add(int count) {
    lastBurst = count;
    assigned.add(count);
  }
}
