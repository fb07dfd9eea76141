package io.linerate.systemtest;

import io.linerate.graph.Element;
import io.linerate.graph.Outlet;
import io.linerate.graph.PacketQueue;
import io.linerate.graph.Wiring;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * An element that does anything with each packet and all else that it was given, in one loop with
 * others.
 */
record StressStep(ApiStress stress, int version) implements Element {
  private static final int CAPACITY = 128;

  @Override
  public void open(Wiring wiring) {
    SplittableRandom random = stress.random();
    Outlet out = wiring.output("out");
    PacketQueue queue = wiring.queue(CAPACITY);
    List<Object> given = List.of(wiring, out, queue);
    wiring.each(
        "in",
        packet -> {
          List<Object> own = new ArrayList<>(given);
          own.add(packet);
          stress.call(own, random);
        },
        out);
    wiring.onRound(() -> queue.sendTo(out, CAPACITY));
  }
}
