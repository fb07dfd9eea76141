package io.linerate.systemtest;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.config.Idle;
import io.linerate.core.memory.Packet;
import io.linerate.core.worker.Engine;
import io.linerate.dashboard.Dashboard;
import io.linerate.dashboard.DashboardSettings;
import io.linerate.dashboard.WatchedProgram;
import io.linerate.graph.Graph;
import io.linerate.graph.GraphBuilder;
import io.linerate.graph.GraphRunner;
import io.linerate.graph.Node;
import io.linerate.graph.element.CheckIpv4;
import io.linerate.graph.element.Counter;
import io.linerate.graph.element.DecrementTtl;
import io.linerate.graph.element.FromPort;
import io.linerate.graph.element.HashSwitch;
import io.linerate.graph.element.Queue;
import io.linerate.graph.element.RandomDrop;
import io.linerate.graph.element.RateLimit;
import io.linerate.graph.element.ToPort;
import io.linerate.stream.Streams;
import java.util.ArrayList;
import java.util.List;

/** A program of its own with a large graph and a page: for tests of how that is drawn. */
final class GraphProgram {
  private static final int PACKETS_PER_S = 1_000;
  private static final int RING = 1_024;

  private GraphProgram() {}

  /**
   * Runs until it is ended.
   *
   * @param arguments {@code lanes}, {@code uneven}, {@code pipeline} or {@code joined}, then a
   *     capture file
   */
  static void main(String[] arguments) {
    String kind = arguments[0];
    EngineConfig config = EngineConfig.DEFAULT.withProgramName(kind).withIdle(Idle.SLEEP);
    String input = "pcap:rx=" + arguments[1] + ",loop=forever,pace=recorded";
    boolean hasStages = kind.equals("pipeline") || kind.equals("joined");
    try (Engine engine = new Engine(hasStages ? config.withWorkers(2) : config)) {
      engine.port("out", "pcap:tx=/dev/null");
      Graph graph =
          switch (kind) {
            case "lanes" -> lanes(engine, input);
            case "uneven" -> uneven(engine, input);
            case "joined" -> joined(engine, input);
            default -> pipeline(engine, input);
          };
      GraphRunner runner = GraphRunner.install(graph, engine);
      try (Dashboard page =
          Dashboard.start(
              DashboardSettings.DEFAULT.withAddress("127.0.0.1:0"),
              new WatchedProgram(engine, runner))) {
        System.err.println("dashboard: " + page.url());
        engine.run();
      }
    }
  }

  /** Five equal lanes of three elements each, and two that all share: 17 elements. */
  private static Graph lanes(Engine engine, String input) {
    return Graph.of(g -> {
      Node merged = g.add("merged", new Counter());
      g.chain(merged, g.add("to-out", new ToPort("out")));
      for (int lane = 0; lane < 5; lane++) {
        String port = "port" + lane;
        engine.port(port, input);
        g.chain(
            g.add("from" + lane, new FromPort(port)),
            g.add("check-the-header-" + lane, new CheckIpv4()),
            g.add("ttl" + lane, new DecrementTtl()),
            merged);
      }
    });
  }

  /** Eight lanes of 3 to 10 elements, of which no two are equal: 56 elements. */
  private static Graph uneven(Engine engine, String input) {
    engine.port("in", input);
    return Graph.of(g -> {
      Node spread = g.add("spread-by-hash", new HashSwitch(8));
      Node merged = g.add("merged", new Counter());
      g.chain(g.add("from-in", new FromPort("in")), spread);
      g.chain(merged, g.add("to-out", new ToPort("out")));
      for (int lane = 1; lane <= 8; lane++) {
        g.connect("spread-by-hash", "out" + lane, chain(g, lane, merged), "in");
      }
    });
  }

  /** Returns the name of its first element. */
  private static String chain(GraphBuilder g, int lane, Node end) {
    List<Node> chain = new ArrayList<>();
    for (int i = 0; i < 2 + lane; i++) {
      boolean isLossy = i % 3 == 1;
      chain.add(
          g.add(
              "customer-" + lane + "-step-" + i,
              isLossy ? new RandomDrop(0.01, lane) : new Counter()));
    }
    chain.add(end);
    g.chain(chain.toArray(new Node[0]));
    return "customer-" + lane + "-step-0";
  }

  /** Packets that go on, and numbers of them, on another worker. */
  private static Graph joined(Engine engine, String input) {
    engine.port("in", input);
    return Streams.graph(s ->
        s.packets("in", "in")
            .alsoToLong(
                "length",
                Packet::length,
                lengths -> lengths.on("handover", 1, RING).sink("sink", _ -> {}))
            .to("out", "out"));
  }

  /** Two workers with a queue between them, of which the second drops what is too much. */
  private static Graph pipeline(Engine engine, String input) {
    engine.port("in", input);
    return Graph.of(g -> {
      Node in = g.add("in", new FromPort("in"));
      Node queue = g.add("queue", new Queue(RING));
      Node limit = g.add("limit", RateLimit.packets(PACKETS_PER_S, 64));
      Node out = g.add("out", new ToPort("out"));
      g.chain(in, queue, limit, out);
      g.on(0, in).on(1, limit, out);
    });
  }
}
