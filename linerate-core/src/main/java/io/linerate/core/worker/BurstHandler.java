package io.linerate.core.worker;

import io.linerate.core.memory.Burst;
import io.linerate.core.memory.LinkType;
import io.linerate.core.port.Port;

/** What an application does with packets. */
@FunctionalInterface
public interface BurstHandler {
  /**
   * Sends or drops each packet of the burst; what it forgets is dropped as {@code forgotten}.
   *
   * @throws Exception costs the packet that the burst's cursor is at, dropped as {@code
   *     handler_error}; the handler is called again with the rest
   */
  void onBurst(Burst burst) throws Exception;

  /**
   * Whether it takes packets that begin so. A worker is not given a handler for a port that brings
   * others.
   */
  default boolean takes(LinkType type) {
    return type.isEthernet();
  }

  /**
   * Whether it takes a burst now: asked before each poll. While it does not, its worker leaves the
   * packets where they are, so that the port's own queue fills; what no longer fits there is lost
   * at the port, and counted there as {@code missed}. A file waits.
   */
  default boolean isReady() {
    return true;
  }

  /**
   * A receive queue goes to another worker, whose handler of the port gets its packets from now on.
   * A handler that holds packets or state of the queue's flows sends the packets now, and leaves
   * the state where the other finds it.
   *
   * @throws Exception is logged; the queue goes all the same
   */
  default void onQueueLeaving(Port port, int queue) throws Exception {}

  /**
   * A receive queue has come from another worker. The first of its packets follow.
   *
   * @throws Exception is logged; the queue stays all the same
   */
  default void onQueueArrived(Port port, int queue) throws Exception {}
}
