package io.linerate.core.worker;

import java.util.ArrayList;
import java.util.List;

/** Receive queues that a worker has given away, and that wait until their packets have left. */
final class Departures {
  private Handover[] waiting = new Handover[0];

  boolean isEmpty() {
    return waiting.length == 0;
  }

  void add(Handover handover) {
    List<Handover> more = new ArrayList<>(List.of(waiting));
    more.add(handover);
    waiting = more.toArray(new Handover[0]);
  }

  /** Passes on those whose packets have left. */
  void passOn(Output[] outputs) {
    List<Handover> late = new ArrayList<>();
    for (Handover handover : waiting) {
      if (handover.isReady(outputs)) {
        handover.target.arrive(handover);
      } else {
        late.add(handover);
      }
    }
    waiting = late.toArray(new Handover[0]);
  }

  void fail(String reason) {
    for (Handover handover : waiting) {
      handover.fail(reason);
    }
  }
}
