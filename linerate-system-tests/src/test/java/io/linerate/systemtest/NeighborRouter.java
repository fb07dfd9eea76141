package io.linerate.systemtest;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.statistics.RunSummary;
import io.linerate.core.worker.Engine;
import io.linerate.core.worker.StopSignal;
import io.linerate.graph.Graph;
import io.linerate.graph.GraphBuilder;
import io.linerate.graph.GraphRunner;
import io.linerate.graph.Node;
import io.linerate.graph.element.DecrementTtl;
import io.linerate.graph.element.Discard;
import io.linerate.graph.element.FromPort;
import io.linerate.graph.element.IcmpError;
import io.linerate.graph.element.Link;
import io.linerate.graph.element.ToPort;
import java.util.List;

/**
 * A program that routes between two links, whose hosts it finds, and which find it, by ARP and
 * neighbor discovery. Its arguments: addresses of the two ports, and how many workers.
 */
final class NeighborRouter {
  /** One of its two links. */
  private record Side(String name, String mac, String address, String local6, String address6) {
    String host() {
      return address.substring(0, address.indexOf('/'));
    }

    String host6() {
      return address6.substring(0, address6.indexOf('/'));
    }

    Graph link() {
      return Link.of(mac, address, local6, address6);
    }
  }

  private static final Side LEFT =
      new Side("left", "02:00:5e:00:53:01", "10.77.1.254/24", "fe80::1/64", "fd77:1::fe/64");
  private static final Side RIGHT =
      new Side("right", "02:00:5e:00:53:02", "10.77.2.254/24", "fe80::2/64", "fd77:2::fe/64");

  private NeighborRouter() {}

  public static void main(String[] arguments) {
    EngineConfig config = EngineConfig.DEFAULT.withWorkers(Integer.parseInt(arguments[2]));
    boolean hasFailed;
    try (Engine engine = new Engine(config);
        StopSignal _ = StopSignal.install(engine::stop)) {
      engine.port(LEFT.name, arguments[0]);
      engine.port(RIGHT.name, arguments[1]);
      GraphRunner runner = GraphRunner.install(graph(), engine);
      engine.start();
      System.err.println("ready");
      while (!engine.awaitEnd(1_000)) {
        // Until somebody stops it.
      }
      RunSummary summary = engine.summary();
      hasFailed = !summary.failures().isEmpty();
      System.out.println("conserved=" + summary.packets().isConserved());
      for (Side side : List.of(LEFT, RIGHT)) {
        for (String element : List.of("/arp", "/nd")) {
          System.out.println(runner.read(side.name + element + ".table"));
        }
      }
    }
    StopSignal.exit(hasFailed ? 1 : 0);
  }

  private static Graph graph() {
    return Graph.of(g -> {
      Node left = g.add(LEFT.name, LEFT.link());
      Node right = g.add(RIGHT.name, RIGHT.link());
      route(g, LEFT, left, right);
      route(g, RIGHT, right, left);
    });
  }

  /** What comes by one link and goes to the other, or back to who sent it. */
  private static void route(GraphBuilder g, Side side, Node from, Node to) {
    Node port = g.add("to-" + side.name, new ToPort(side.name));
    g.chain(g.add("from-" + side.name, new FromPort(side.name)), from, port);
    g.chain(from.out("rest"), g.add("discard-" + side.name, new Discard()));
    g.chain(from.out("ip"), g.add("ttl-" + side.name, new DecrementTtl()), to.in("ip"));
    g.chain(from.out("ip6"), g.add("hops-" + side.name, new DecrementTtl()), to.in("ip6"));
    Node unreachable =
        g.add("unreachable-" + side.name, IcmpError.unreachable(side.host(), side.host6()));
    g.chain(to.out("unreachable"), unreachable, port);
  }
}
