package io.linerate.systemtest;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.statistics.RunSummary;
import io.linerate.core.worker.Engine;
import io.linerate.core.worker.StopSignal;
import io.linerate.graph.Graph;
import io.linerate.graph.GraphRunner;
import io.linerate.graph.element.FixChecksums;
import io.linerate.graph.element.FromPort;
import io.linerate.graph.element.ToPort;

/**
 * A program that changes packets and has their checksums made: from the port of its first argument
 * to that of its second. It begins when it is told so.
 */
final class ChecksumRelay {
  private ChecksumRelay() {}

  public static void main(String[] arguments) throws Exception {
    Graph graph =
        Graph.of(g ->
            g.chain(
                g.add("in", new FromPort("in")),
                g.add("change", new ElementChecksumTest.Change()),
                g.add("sums", new FixChecksums()),
                g.add("out", new ToPort("out"))));
    boolean hasFailed;
    try (Engine engine = new Engine(EngineConfig.DEFAULT);
        StopSignal _ = StopSignal.install(engine::stop)) {
      engine.port("in", arguments[0]);
      engine.port("out", arguments[1]);
      GraphRunner runner = GraphRunner.install(graph, engine);
      System.err.println("ready");
      int _ = System.in.read();
      engine.start();
      while (!engine.awaitEnd(1_000)) {
        // Until the file ends.
      }
      RunSummary summary = engine.summary();
      hasFailed = !summary.failures().isEmpty() || !summary.packets().isConserved();
      System.out.println("left=" + runner.read("sums.left"));
      System.out.println("sent=" + summary.packets().sent());
      System.out.println("made=" + summary.packets().made());
    }
    StopSignal.exit(hasFailed ? 1 : 0);
  }
}
