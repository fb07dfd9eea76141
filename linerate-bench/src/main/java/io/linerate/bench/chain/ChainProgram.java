package io.linerate.bench.chain;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.config.Idle;
import io.linerate.core.worker.Engine;
import io.linerate.graph.Graph;
import io.linerate.graph.GraphRunner;
import io.linerate.graph.Node;
import io.linerate.graph.element.Discard;
import io.linerate.graph.element.FromPort;
import java.util.List;

/**
 * A program under measurement: a chain of elements each of which adds one to a byte of every
 * packet. Arguments: how many, the port's address, packets in a burst, CPU.
 */
public final class ChainProgram {
  private static final String PORT = "in";

  private ChainProgram() {}

  public static void main(String[] arguments) {
    int elements = Integer.parseInt(arguments[0]);
    int burst = Integer.parseInt(arguments[2]);
    EngineConfig config =
        EngineConfig.DEFAULT
            .withIdle(Idle.BUSY_SPIN)
            .withRxBurst(burst)
            .withFreeBurst(burst)
            .withCpus(List.of(Integer.parseInt(arguments[3])));
    try (Engine engine = new Engine(config)) {
      engine.port(PORT, arguments[1]);
      GraphRunner.install(chain(elements), engine);
      System.err.print(engine.run());
    }
  }

  private static Graph chain(int elements) {
    return Graph.of(g -> {
      Node last = g.add("source", new FromPort(PORT));
      for (int i = 0; i < elements; i++) {
        Node next = g.add("step" + i, new Increment(offset(i)));
        g.chain(last, next);
        last = next;
      }
      g.chain(last, g.add("end", new Discard()));
    });
  }

  /**
   * The byte of an element: all over the first 60, and none beside another, which a C compiler
   * would change with one instruction.
   */
  private static int offset(int element) {
    return 1 + 3 * element;
  }
}
