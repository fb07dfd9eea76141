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
 * A program under measurement: receives from {@code net_null}, passes each burst through elements
 * that do nothing, and drops it. Arguments: how many, packets in a burst, CPU.
 */
public final class ElementRow {
  private static final String PORT = "in";

  private ElementRow() {}

  public static void main(String[] arguments) {
    int elements = Integer.parseInt(arguments[0]);
    int burst = Integer.parseInt(arguments[1]);
    EngineConfig config =
        EngineConfig.DEFAULT
            .withIdle(Idle.BUSY_SPIN)
            .withRxBurst(burst)
            .withFreeBurst(burst)
            .withCpus(List.of(Integer.parseInt(arguments[2])));
    try (Engine engine = new Engine(config)) {
      engine.port(PORT, "bench:frame=64,port=dpdk:net_null0,size=64");
      GraphRunner.install(row(elements), engine);
      System.err.print(engine.run());
    }
  }

  private static Graph row(int elements) {
    return Graph.of(g -> {
      Node last = g.add("source", new FromPort(PORT));
      for (int i = 0; i < elements; i++) {
        Node next = g.add("nothing" + i, new Counter());
        g.chain(last, next);
        last = next;
      }
      g.chain(last, g.add("end", new Discard()));
    });
  }
}
