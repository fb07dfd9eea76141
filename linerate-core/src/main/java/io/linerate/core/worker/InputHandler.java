package io.linerate.core.worker;

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

  void queueLeaving(Port port, int queue) {
    try {
      handler.onQueueLeaving(port, queue);
    } catch (Throwable e) { // Whatever a handler does, its worker goes on.
      guard.add(e);
    }
  }

  void queueArrived(Port port, int queue) {
    try {
      handler.onQueueArrived(port, queue);
    } catch (Throwable e) { // Whatever a handler does, its worker goes on.
      guard.add(e);
    }
  }
}
