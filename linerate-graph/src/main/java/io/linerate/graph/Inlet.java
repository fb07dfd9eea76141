package io.linerate.graph;

import io.linerate.core.memory.Burst;
import io.linerate.core.memory.BurstOwner;
import io.linerate.core.memory.DropCounts;
import io.linerate.core.memory.DropReason;
import io.linerate.core.port.Port;
import io.linerate.core.worker.BurstHandler;

/**
 * An input of a running element, or where bursts of a port come to one: then the worker calls it.
 * Whoever is called here with a burst ends each packet of it before it returns: what is left then
 * was forgotten, and is dropped and counted as such.
 */
final class Inlet implements BurstHandler {
  private final RunningElement element;
  private final BurstOwner owner;
  private BurstHandler handler;
  private final PacketCounter counter = new PacketCounter();

  Inlet(RunningElement element, BurstHandler handler) {
    this.element = element;
    owner = element.replica().host().owner();
    this.handler = handler;
  }

  /** Another handler does the work from now on. */
  void replace(BurstHandler next) {
    handler = next;
  }

  PacketCounter counter() {
    return counter;
  }

  /**
   * Nothing is left in the burst afterwards, and it counts drops where it did before, whatever was
   * thrown.
   *
   * @param live packets in it, at least 1
   * @param bytes theirs
   */
  void accept(Burst burst, int live, long bytes) {
    counter.add(live, bytes);
    DropCounts before = owner.drops(burst, element.drops());
    try {
      handle(burst, live);
      if (burst.live() > 0) {
        burst.dropAll(DropReason.FORGOTTEN);
      }
      element.flush();
    } finally {
      owner.drops(burst, before);
    }
  }

  private void handle(Burst burst, int live) {
    try {
      handler.onBurst(burst);
    } catch (Throwable e) { // Whatever an element does, its worker goes on.
      InternalError fault = element.guard().goOn(handler, burst, live, e);
      if (fault != null) {
        element.discardSent();
        throw fault;
      }
    }
  }

  // --- where bursts of a port come in ---

  @Override
  public void onBurst(Burst burst) {
    element.replica().timeHasPassed();
    accept(burst, burst.live(), burst.bytes());
  }

  @Override
  public boolean isReady() {
    return !element.isHeldBack();
  }

  @Override
  public void onQueueLeaving(Port port, int queue) {
    element.replica().sendHeld();
  }
}
