package io.linerate.graph.element;

import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.Packet;
import io.linerate.graph.Element;
import io.linerate.graph.Outlet;
import io.linerate.graph.Shape;
import io.linerate.graph.ValueType;
import io.linerate.graph.Wiring;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Drops each packet with the same probability, whatever happened to those before: a lossy line. The
 * same seed drops the same packets again; each worker has a sequence of its own.
 *
 * <pre>
 * inputs      in
 * outputs     out; dropped (may be left unconnected)
 * parameters  probability: 0.0 to 1.0
 *             seed: any; RandomDrop(probability) has 0
 * drops       random
 * reads       probability
 * writes      probability
 * example     g.add("loss", new RandomDrop(0.01, 42))
 * </pre>
 */
public record RandomDrop(double probability, long seed) implements Element {
  public static final DropReason RANDOM = DropReason.named("random");

  public RandomDrop(double probability) {
    this(probability, 0);
  }

  @Override
  public Shape shape() {
    return Shape.inOut().optionalOutput("dropped").anyLink();
  }

  @Override
  public List<String> problems() {
    return Parameters.check().fraction("probability", probability).problems();
  }

  @Override
  public void open(Wiring wiring) {
    Dropper dropper = new Dropper(probability, seed, wiring);
    wiring.each("in", dropper::handle, wiring.output("out"));
    wiring.read("probability", ValueType.DECIMAL, dropper::probability);
    wiring.write("probability", ValueType.DECIMAL, dropper::probability);
  }

  /** On one worker. */
  private static final class Dropper {
    private final Outlet dropped;
    private final SplittableRandom random;
    private double probability;

    Dropper(double probability, long seed, Wiring wiring) {
      this.probability = probability;
      random = new SplittableRandom(new SplittableRandom(seed + wiring.worker()).nextLong());
      dropped = wiring.output("dropped");
    }

    Double probability() {
      return probability;
    }

    void probability(double changed) {
      Parameters.check().fraction("probability", changed).require();
      probability = changed;
    }

    void handle(Packet packet) {
      if (random.nextDouble() < probability) {
        dropped.send(packet, RANDOM);
      }
    }
  }
}
