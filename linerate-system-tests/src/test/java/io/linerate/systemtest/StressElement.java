package io.linerate.systemtest;

import io.linerate.core.worker.BurstHandler;
import io.linerate.graph.Crossing;
import io.linerate.graph.Element;
import io.linerate.graph.Outlet;
import io.linerate.graph.PacketGroup;
import io.linerate.graph.PacketQueue;
import io.linerate.graph.Round;
import io.linerate.graph.Shape;
import io.linerate.graph.Wiring;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * An element that does anything with all that it was given, and lets others do so: in its handler,
 * in its rounds, and when it leaves.
 *
 * @param version another one has a state of its own
 * @param isCrossing whether it hands packets to another worker
 */
record StressElement(ApiStress stress, int version, boolean isCrossing) implements Element {
  private static final int CAPACITY = 128;

  @Override
  public Shape shape() {
    return isCrossing ? Shape.inOut().crossing() : Shape.inOut();
  }

  @Override
  public void open(Wiring wiring) {
    SplittableRandom random = stress.random();
    Outlet out = wiring.output("out");
    PacketQueue queue = wiring.queue(CAPACITY);
    PacketGroup group = wiring.group(CAPACITY);
    List<Object> given = new ArrayList<>(List.of(wiring, out, queue, group));
    Round sender = () -> 0;
    BurstHandler receiver = out;
    if (isCrossing) {
      Crossing packets = wiring.crossing(CAPACITY, false);
      given.add(packets);
      receiver = packets::put;
      sender = () -> packets.sendTo(out, CAPACITY);
    }
    BurstHandler handler = stress.handler(given, random);
    BurstHandler last = receiver;
    Round round = sender;
    wiring.input(
        "in",
        burst -> {
          handler.onBurst(burst);
          last.onBurst(burst);
        });
    wiring.onRound(() -> {
      stress.call(given, random);
      return round.run();
    });
    wiring.onLeave(() -> stress.call(given, random));
  }
}
