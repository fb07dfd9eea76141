package io.linerate.core.worker;

import io.linerate.core.balance.AssignedQueue;
import io.linerate.core.port.Port;

/** A worker's handler of a port, and what is done when it throws. For the worker's thread. */
final class InputHandler {
  final HandlerGuard guard;
  BurstHandler handler;

  InputHandler(BurstHandler handler, HandlerGuard guard) {
    this.handler = handler;
    this.guard = guard;
  }

  /** A handler that fails is ready. */
  boolean isReady() {
    try {
      return handler.isReady();
    } catch (Throwable e) { // Whatever a handler does, its worker goes on.
      guard.add(e);
      return true;
    }
  }

  /** Tells it of a queue that comes from another worker, or goes to one. */
  void queueMoves(AssignedQueue queue, boolean isLeaving) {
    Port port = new PortView(queue.port());
    try {
      if (isLeaving) {
        handler.onQueueLeaving(port, queue.index());
      } else {
        handler.onQueueArrived(port, queue.index());
      }
    } catch (Throwable e) { // Whatever a handler does, its worker goes on.
      guard.add(e);
    }
  }
}
