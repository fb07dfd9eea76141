package io.linerate.bench.middlebox;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.memory.Packet;
import io.linerate.core.worker.Engine;
import io.linerate.graph.Element;
import io.linerate.graph.Graph;
import io.linerate.graph.GraphBuilder;
import io.linerate.graph.GraphRunner;
import io.linerate.graph.Node;
import io.linerate.graph.Outlet;
import io.linerate.graph.Shape;
import io.linerate.graph.Wiring;
import io.linerate.graph.element.FromPort;
import io.linerate.graph.element.IcmpPingResponder;
import io.linerate.graph.element.Queue;
import io.linerate.middlebox.balance.Backends;
import io.linerate.middlebox.balance.HealthCheck;
import io.linerate.middlebox.balance.HealthSettings;
import io.linerate.wire.Ethernet;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Lets backends be found that are not there: a health check asks them, and is answered within the
 * same graph, so that it knows their Ethernet addresses.
 */
final class BackendsUp {
  private static final HealthSettings OFTEN =
      new HealthSettings(HealthSettings.Kind.ICMP, "/", Duration.ofMillis(10), 1_000, 1);

  /** As balance.c has it, of a backend whose address ends with 0.1. */
  private static final long FIRST_MAC = 0x0200_0001_0000L;

  private static final int SOURCE_END = 28;

  /** Of one that has answered. */
  private static final Pattern KNOWN = Pattern.compile(".* up \\S+");

  /** Gives answers the Ethernet addresses of who sends them. */
  private record Senders() implements Element {
    @Override
    public Shape shape() {
      return Shape.inOut();
    }

    @Override
    public void open(Wiring wiring) {
      Outlet out = wiring.output("out");
      Ethernet ethernet = new Ethernet();
      wiring.input(
          "in",
          burst -> {
            for (Packet packet : burst) {
              ethernet.wrap(packet, 0).source(FIRST_MAC + packet.u16(SOURCE_END) - 1);
            }
            out.push(burst);
          });
    }
  }

  private BackendsUp() {}

  /**
   * Waits until all have answered.
   *
   * @param addresses of the backends
   */
  static void await(Backends backends, List<String> addresses) throws InterruptedException {
    try (Engine engine = new Engine(EngineConfig.DEFAULT.withCounters(false))) {
      engine.port("idle", "ring:idle,loopback");
      var _ = GraphRunner.install(Graph.of(g -> build(g, backends, addresses)), engine);
      engine.start();
      while (!backends.text().lines().allMatch(KNOWN.asMatchPredicate())) {
        Thread.sleep(1);
      }
      engine.stop();
      while (!engine.awaitEnd(1_000)) {
        // It drains.
      }
    }
  }

  private static void build(GraphBuilder g, Backends backends, List<String> addresses) {
    Node check = g.add("check", new HealthCheck(backends, OFTEN, "10.200.255.1"));
    Node answer = g.add("answer", IcmpPingResponder.of(addresses.toArray(String[]::new)));
    g.chain(g.add("idle", new FromPort("idle")), check);
    Node back = g.add("back", Queue.dropping(1_024));
    g.chain(check, answer, g.add("senders", new Senders()), back, check);
  }
}
