package io.linerate.bench.elements;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.config.Idle;
import io.linerate.core.worker.Engine;
import io.linerate.graph.Graph;
import io.linerate.graph.GraphRunner;
import io.linerate.graph.Node;
import io.linerate.graph.element.Counter;
import io.linerate.graph.element.Discard;
import io.linerate.graph.element.FromPort;
import java.util.List;

/**
 * A program under measurement: receives, passes each burst through elements of one kind, and drops
 * it. Arguments: {@link #NOTHING} or {@link #INCREMENT}, how many, the port's address, packets in a
 * burst, CPU.
 */
public final class ElementRow {
  /** Elements that do nothing. */
  static final String NOTHING = "nothing";

  /** Each adds one to a byte of every packet. */
  static final String INCREMENT = "increment";

  private static final String PORT = "in";

  private ElementRow() {}

  public static void main(String[] arguments) {
    boolean isIncrement = arguments[0].equals(INCREMENT);
    int burst = Integer.parseInt(arguments[3]);
    EngineConfig config =
        EngineConfig.DEFAULT
            .withIdle(Idle.BUSY_SPIN)
            .withRxBurst(burst)
            .withFreeBurst(burst)
            .withCpus(List.of(Integer.parseInt(arguments[4])));
    try (Engine engine = new Engine(config)) {
      engine.port(PORT, arguments[2]);
      GraphRunner.install(row(isIncrement, Integer.parseInt(arguments[1])), engine);
      System.err.print(engine.run());
    }
  }

  private static Graph row(boolean isIncrement, int elements) {
    return Graph.of(g -> {
      Node last = g.add("source", new FromPort(PORT));
      for (int i = 0; i < elements; i++) {
        Node next = g.add("element" + i, isIncrement ? new Increment(offset(i)) : new Counter());
        g.chain(last, next);
        last = next;
      }
      g.chain(last, g.add("end", new Discard()));
    });
  }

  /**
   * The byte of an element: all over the first 60, and none beside another, which a C compiler
   * would change with one instruction. As chain.c says.
   */
  private static int offset(int element) {
    return 1 + 3 * element;
  }
}
