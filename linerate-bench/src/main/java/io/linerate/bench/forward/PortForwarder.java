package io.linerate.bench.forward;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.config.Idle;
import io.linerate.core.worker.Engine;
import io.linerate.graph.Graph;
import io.linerate.graph.GraphRunner;
import io.linerate.graph.element.FromPort;
import io.linerate.graph.element.ToPort;
import java.util.List;

/**
 * A program under measurement: what a port receives it transmits, unseen. Arguments: the port's
 * address, packets in a burst, CPU.
 */
public final class PortForwarder {
  private static final String PORT = "port";

  private PortForwarder() {}

  public static void main(String[] arguments) {
    int burst = Integer.parseInt(arguments[1]);
    EngineConfig config =
        EngineConfig.DEFAULT
            .withIdle(Idle.BUSY_SPIN)
            .withRxBurst(burst)
            .withTxBurst(burst)
            .withCpus(List.of(Integer.parseInt(arguments[2])));
    try (Engine engine = new Engine(config)) {
      engine.port(PORT, arguments[0]);
      Graph graph =
          Graph.of(g -> g.chain(g.add("in", new FromPort(PORT)), g.add("out", new ToPort(PORT))));
      GraphRunner.install(graph, engine);
      System.err.print(engine.run());
    }
  }
}
