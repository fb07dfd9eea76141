package io.linerate.systemtest;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.statistics.RunSummary;
import io.linerate.core.worker.Engine;
import io.linerate.core.worker.StopSignal;
import io.linerate.graph.Graph;
import io.linerate.graph.GraphRunner;
import io.linerate.graph.element.FromPort;
import io.linerate.graph.element.ToPort;
import io.linerate.graph.element.VlanPop;
import io.linerate.graph.element.VlanPush;

/**
 * A program that joins a host and a trunk: puts a VLAN tag into what the host sends, and takes it
 * out of what comes back. Its arguments: addresses of the two ports.
 */
final class TagRelay {
  private TagRelay() {}

  public static void main(String[] arguments) {
    Graph graph =
        Graph.of(g -> {
          g.chain(
              g.add("host-in", new FromPort("host")),
              g.add("push", new VlanPush(100)),
              g.add("trunk-out", new ToPort("trunk")));
          g.chain(
              g.add("trunk-in", new FromPort("trunk")),
              g.add("pop", new VlanPop()),
              g.add("host-out", new ToPort("host")));
        });
    boolean hasFailed;
    try (Engine engine = new Engine(EngineConfig.DEFAULT);
        StopSignal _ = StopSignal.install(engine::stop)) {
      engine.port("host", arguments[0]);
      engine.port("trunk", arguments[1]);
      GraphRunner.install(graph, engine);
      engine.start();
      System.err.println("ready");
      while (!engine.awaitEnd(1_000)) {
        // Until somebody stops it.
      }
      RunSummary summary = engine.summary();
      hasFailed = !summary.failures().isEmpty() || !summary.packets().isConserved();
      System.out.println("\"received\":" + summary.packets().received());
      System.out.println("\"made\":" + summary.packets().made());
      System.out.println("\"dropped\":" + summary.packets().dropped());
    }
    StopSignal.exit(hasFailed ? 1 : 0);
  }
}
