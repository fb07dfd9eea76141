package io.linerate.systemtest;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.statistics.RunSummary;
import io.linerate.core.worker.Engine;
import io.linerate.core.worker.StopSignal;
import io.linerate.graph.Graph;
import io.linerate.graph.GraphBuilder;
import io.linerate.graph.GraphRunner;
import io.linerate.graph.Node;
import io.linerate.graph.element.Classifier;
import io.linerate.graph.element.Counter;
import io.linerate.graph.element.FromPort;
import io.linerate.graph.element.Queue;
import io.linerate.graph.element.ToPort;
import java.nio.charset.StandardCharsets;
import java.util.Scanner;

/**
 * A program that forwards between two ports, by another graph whenever its standard input has a
 * line. Arguments: the two addresses. At the end it says what it has done.
 */
public final class ChangingBridge {
  private ChangingBridge() {}

  public static void main(String[] addresses) {
    Engine engine = new Engine(EngineConfig.DEFAULT.withProgramName("bridge"));
    try (var _ = StopSignal.install(engine::stop);
        engine) {
      engine.port("left", addresses[0]);
      engine.port("right", addresses[1]);
      GraphRunner runner = GraphRunner.install(graph(0), engine);
      engine.start();
      System.err.println("ready");
      int changes = change(runner);
      engine.stop();
      engine.awaitEnd(60_000);
      report(engine.summary(), runner, changes);
    }
  }

  /** Changes with each line; returns how often. */
  private static int change(GraphRunner runner) {
    int changes = 0;
    try (Scanner lines = new Scanner(System.in, StandardCharsets.UTF_8)) {
      while (lines.hasNextLine() && !lines.nextLine().equals("end")) {
        runner.change(graph(++changes));
      }
    }
    return changes;
  }

  private static void report(RunSummary summary, GraphRunner runner, int changes) {
    long missed = summary.ports().stream().mapToLong(port -> port.statistics().missed()).sum();
    long kept = runner.counts("kept-left").packetsIn() + runner.counts("kept-right").packetsIn();
    System.out.printf(
        "changes=%d conserved=%b received=%d sent=%d dropped=%s missed=%d kept=%d%n",
        changes,
        summary.packets().isConserved(),
        summary.packets().received(),
        summary.packets().sent(),
        summary.packets().dropped(),
        missed,
        kept);
  }

  private static Graph graph(int number) {
    return Graph.of(g -> {
      way(g, "left", "right", number);
      way(g, "right", "left", number);
    });
  }

  /** One direction: with a counter, a queue, another classifier, or without. */
  private static void way(GraphBuilder g, String from, String to, int number) {
    Node at = g.add("kept-" + from, new Counter());
    g.chain(g.add("from-" + from, new FromPort(from)), at);
    if ((number & 1) != 0) {
      Node inserted = g.add("inserted-" + from, new Counter());
      g.chain(at, inserted);
      at = inserted;
    }
    if ((number & 2) != 0) {
      Node queue = g.add("queue-" + from, new Queue(4_096 + number % 5));
      g.chain(at, queue);
      at = queue;
    }
    Node kind =
        g.add(
            "kind-" + from,
            (number & 4) == 0
                ? Classifier.of("tcp 12/0800 23/06", "rest -")
                : Classifier.of("rest !23/06", "tcp -"));
    Node out = g.add("to-" + to, new ToPort(to));
    g.chain(at, kind.out("tcp"), out);
    g.chain(kind.out("rest"), out);
  }
}
