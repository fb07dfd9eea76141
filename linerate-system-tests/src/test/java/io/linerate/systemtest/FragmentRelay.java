package io.linerate.systemtest;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.statistics.RunSummary;
import io.linerate.core.worker.Engine;
import io.linerate.core.worker.StopSignal;
import io.linerate.graph.Graph;
import io.linerate.graph.GraphRunner;
import io.linerate.graph.element.Fragment;
import io.linerate.graph.element.FromPort;
import io.linerate.graph.element.Reassemble;
import io.linerate.graph.element.ToPort;

/**
 * A program that joins two interfaces: what comes from the left is put together, what comes from
 * the right is cut. Its arguments: addresses of the two ports, bytes of the packets on the left.
 */
final class FragmentRelay {
  private FragmentRelay() {}

  public static void main(String[] arguments) {
    int mtuBytes = Integer.parseInt(arguments[2]);
    Graph graph =
        Graph.of(g -> {
          g.chain(
              g.add("left-in", new FromPort("left")),
              g.add("whole", new Reassemble()),
              g.add("right-out", new ToPort("right")));
          g.chain(
              g.add("right-in", new FromPort("right")),
              g.add("pieces", new Fragment(mtuBytes, true)),
              g.add("left-out", new ToPort("left")));
        });
    boolean hasFailed;
    try (Engine engine = new Engine(EngineConfig.DEFAULT);
        StopSignal _ = StopSignal.install(engine::stop)) {
      engine.port("left", arguments[0]);
      engine.port("right", arguments[1]);
      GraphRunner runner = GraphRunner.install(graph, engine);
      engine.start();
      System.err.println("ready");
      while (!engine.awaitEnd(1_000)) {
        // Until somebody stops it.
      }
      RunSummary summary = engine.summary();
      hasFailed = !summary.failures().isEmpty();
      System.out.println("conserved=" + summary.packets().isConserved());
      System.out.println("reassembled=" + runner.read("whole.reassembled"));
      System.out.println("fragments=" + runner.read("pieces.made"));
      System.out.println("dropped=" + summary.packets().dropped());
    }
    StopSignal.exit(hasFailed ? 1 : 0);
  }
}
