package io.linerate.graph;

import io.linerate.core.memory.Burst;
import io.linerate.core.memory.DropCounts;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.OwnedBurst;
import io.linerate.core.port.Port;
import io.linerate.core.worker.BurstHandler;
import io.linerate.core.worker.GuardedHandler;

/**
 * An input of a running element, or where bursts of a port come to one: then the worker calls it.
 * Whoever is called here with a burst ends each packet of it before it returns: what is left then
 * was forgotten, and is dropped and counted as such.
 */
final class Inlet implements BurstHandler {
  private final RunningElement element;
  private final GuardedHandler handler;
  private final Tally tally = new Tally();

  Inlet(RunningElement element, BurstHandler handler) {
    this.element = element;
    this.handler = element.guarded(handler);
  }

  /** Another handler does the work from now on. */
  void replace(BurstHandler next) {
    handler.replace(next);
  }

  Tally tally() {
    return tally;
  }

  /**
   * Nothing is left in the burst afterwards, and it counts drops where it did before, whatever was
   * thrown.
   *
   * @param live packets in it, at least 1
   * @param bytes theirs
   */
  void accept(Burst burst, int live, long bytes) {
    tally.add(live, bytes);
    DropCounts before = OwnedBurst.drops(burst, element.drops());
    try {
      InternalError fault = handler.accept(burst);
      if (fault != null) {
        element.discardSent();
        throw fault;
      }
      if (burst.live() > 0) {
        burst.dropAll(DropReason.FORGOTTEN);
      }
      element.flush();
    } finally {
      OwnedBurst.drops(burst, before);
    }
  }

  // --- where bursts of a port come in ---

  @Override
  public void onBurst(Burst burst) {
    Replica replica = element.replica();
    replica.enter(burst);
    try {
      accept(burst, burst.live(), burst.bytes());
    } finally {
      replica.leave();
    }
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
