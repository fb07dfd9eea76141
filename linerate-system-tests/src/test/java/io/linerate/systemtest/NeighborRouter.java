package io.linerate.systemtest;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.statistics.RunSummary;
import io.linerate.core.worker.Engine;
import io.linerate.core.worker.StopSignal;
import io.linerate.graph.Element;
import io.linerate.graph.Graph;
import io.linerate.graph.GraphBuilder;
import io.linerate.graph.GraphRunner;
import io.linerate.graph.Node;
import io.linerate.graph.element.ArpQuerier;
import io.linerate.graph.element.ArpResponder;
import io.linerate.graph.element.Classifier;
import io.linerate.graph.element.DecrementTtl;
import io.linerate.graph.element.Discard;
import io.linerate.graph.element.FromPort;
import io.linerate.graph.element.IcmpError;
import io.linerate.graph.element.NeighborDiscovery;
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
        for (String element : List.of("arp-", "nd-")) {
          System.out.println(runner.read(element + side.name + ".table"));
        }
      }
    }
    StopSignal.exit(hasFailed ? 1 : 0);
  }

  private static Graph graph() {
    return Graph.of(g -> {
      Link left = new Link(g, LEFT);
      Link right = new Link(g, RIGHT);
      left.routeTo(g, right);
      right.routeTo(g, left);
    });
  }

  /** The elements of one side. */
  private static final class Link {
    private final Side side;
    private final Node kind;
    private final Node arp;
    private final Node nd;
    private final Node port;

    Link(GraphBuilder g, Side side) {
      this.side = side;
      Node responder = add(g, "responder", ArpResponder.of(side.mac, side.host()));
      kind =
          add(
              g,
              "kind",
              Classifier.of(
                  "arp 12/0806",
                  "asked 12/86dd 20/3a 54/87",
                  "told 12/86dd 20/3a 54/88",
                  "ip 12/0800",
                  "ip6 12/86dd",
                  "rest -"));
      arp = add(g, "arp", new ArpQuerier(side.mac, side.address, ""));
      nd = add(g, "nd", NeighborDiscovery.of(side.mac, "", side.local6, side.address6));
      port = add(g, "to", new ToPort(side.name));
      g.chain(add(g, "from", new FromPort(side.name)), kind);
      g.chain(kind.out("arp"), responder, port);
      g.chain(responder.out("rest"), arp.in("replies"));
      g.chain(kind.out("asked"), nd.in("messages"));
      g.chain(kind.out("told"), nd.in("messages"));
      g.chain(kind.out("rest"), add(g, "discard", new Discard()));
      g.chain(arp, port);
      g.chain(nd, port);
    }

    private Node add(GraphBuilder g, String name, Element element) {
      return g.add(name + "-" + side.name, element);
    }

    void routeTo(GraphBuilder g, Link other) {
      g.chain(kind.out("ip"), add(g, "ttl", new DecrementTtl()), other.arp);
      g.chain(kind.out("ip6"), add(g, "hops", new DecrementTtl()), other.nd);
      Node unreachable = add(g, "unreachable", IcmpError.unreachable(side.host(), side.host6()));
      g.chain(other.arp.out("unreachable"), unreachable, port);
      g.chain(other.nd.out("unreachable"), unreachable);
    }
  }
}
