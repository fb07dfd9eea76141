package io.linerate.graph;

import io.linerate.core.driver.MappedFileFault;
import io.linerate.core.memory.Burst;
import io.linerate.core.memory.DropCounts;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.OwnedBurst;
import io.linerate.core.worker.BurstHandler;

/**
 * An input of a running element. Whoever is called here with a burst ends each packet of it before
 * it returns: what is left then was forgotten, and is dropped and counted as such.
 */
final class Inlet {
  private final RunningElement element;
  private final BurstHandler handler;
  private final Tally tally = new Tally();

  Inlet(RunningElement element, BurstHandler handler) {
    this.element = element;
    this.handler = handler;
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
      handle(burst, live);
      if (burst.live() > 0) {
        burst.dropAll(DropReason.FORGOTTEN);
      }
      element.flush();
    } finally {
      OwnedBurst.drops(burst, before);
    }
  }

  private void handle(Burst burst, int live) {
    try {
      handler.onBurst(burst);
    } catch (Throwable e) { // Whatever an element does, its worker goes on.
      failed(burst, live, e);
    }
  }

  /**
   * As a worker does with its handler: the packet that the element was at is dropped, and it is
   * called again with the rest. Every failure ends at least one packet, so that this ends.
   */
  private void failed(Burst burst, int liveBefore, Throwable failure) {
    int live = liveBefore;
    Throwable e = failure;
    while (true) {
      if (MappedFileFault.is(e)) {
        element.dropUnreadable(burst);
        throw (InternalError) e;
      }
      element.logFailure(e);
      OwnedBurst.dropCurrent(burst, DropReason.HANDLER_ERROR);
      if (burst.live() == live) {
        burst.dropAll(DropReason.HANDLER_ERROR);
      }
      live = burst.live();
      if (live == 0) {
        return;
      }
      try {
        handler.onBurst(burst);
        return;
      } catch (Throwable again) {
        e = again;
      }
    }
  }
}
