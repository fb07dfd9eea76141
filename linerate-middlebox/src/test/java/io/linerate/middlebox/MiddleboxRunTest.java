package io.linerate.middlebox;

import static io.linerate.testkit.graph.FrameBuilder.icmp4;
import static io.linerate.testkit.graph.FrameBuilder.icmp6;
import static io.linerate.testkit.graph.FrameBuilder.tcp4;
import static io.linerate.testkit.graph.FrameBuilder.tcp6;
import static io.linerate.testkit.graph.FrameBuilder.udp4;
import static io.linerate.testkit.graph.FrameBuilder.udp6;
import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.memory.Packet;
import io.linerate.core.statistics.RunSummary;
import io.linerate.core.worker.Engine;
import io.linerate.driver.pcap.CaptureWriter;
import io.linerate.graph.Element;
import io.linerate.graph.ElementPort;
import io.linerate.graph.Graph;
import io.linerate.graph.GraphBuilder;
import io.linerate.graph.GraphRunner;
import io.linerate.graph.Node;
import io.linerate.graph.Shape;
import io.linerate.graph.Wiring;
import io.linerate.graph.element.FromPort;
import io.linerate.graph.element.Queue;
import io.linerate.graph.element.ToPort;
import io.linerate.middlebox.balance.Backends;
import io.linerate.middlebox.balance.Balance;
import io.linerate.middlebox.balance.BalancedService;
import io.linerate.middlebox.nat.Nat;
import io.linerate.middlebox.nat.Nat64;
import io.linerate.middlebox.nat.NatSettings;
import io.linerate.middlebox.nat.Npt;
import io.linerate.middlebox.route.Route;
import io.linerate.middlebox.route.RouteText;
import io.linerate.middlebox.route.RouterLink;
import io.linerate.middlebox.route.RoutingTable;
import io.linerate.middlebox.synproxy.SynProxy;
import io.linerate.middlebox.synproxy.SynService;
import io.linerate.testkit.AllocationMeter;
import io.linerate.testkit.Packets;
import io.linerate.testkit.graph.FrameBuilder;
import io.linerate.track.TrackSettings;
import io.linerate.wire.EtherType;
import io.linerate.wire.HeaderScanner;
import io.linerate.wire.Icmp;
import io.linerate.wire.Icmpv6;
import io.linerate.wire.InternetChecksum;
import io.linerate.wire.IpProtocol;
import io.linerate.wire.Tcp;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Middleboxes at work on their worker, drivers and engine included. */
class MiddleboxRunTest {
  private static final int PACKETS = 2_000;
  private static final int ROUND_PACKETS = 1_000_000;
  private static final String ON_PURPOSE = "on purpose";
  private static final int SOME_PACKETS = 200_000;

  @TempDir Path folder;

  private Path capture(IntFunction<FrameBuilder> frames) {
    Path file = folder.resolve("in.pcap");
    try (Packets packets = new Packets();
        CaptureWriter writer = CaptureWriter.create(file, 0)) {
      for (int i = 0; i < PACKETS; i++) {
        writer.write(frames.apply(i).payload(10).toPacket(packets));
      }
    }
    return file;
  }

  /** Flows that are known, that begin, that push each other out, that find no port. */
  private static FrameBuilder ipv4(int i) {
    String host = "10.0.%d.%d".formatted(i % 3, i % 200 + 1);
    FrameBuilder frame =
        switch (i % 5) {
          case 0 -> tcp4().ports(i, 80).tcp(tcp -> tcp.flags(Tcp.SYN));
          case 1 -> icmp4().icmp(icmp -> icmp.type(Icmp.ECHO).identifier(7));
          default -> udp4().ports(1 + i % 50, 53);
        };
    return frame.between(host, "192.0.2.9");
  }

  private static FrameBuilder ipv6(int i, String server) {
    String host = "fd01:203:405:%x::%x".formatted(i % 3, i % 200 + 1);
    FrameBuilder frame =
        switch (i % 5) {
          case 0 -> tcp6().ports(i, 80).tcp(tcp -> tcp.flags(Tcp.SYN));
          case 1 -> icmp6().icmp(icmp -> icmp.type(Icmpv6.ECHO_REQUEST).identifier(7));
          default -> udp6().ports(1 + i % 50, 53);
        };
    return frame.between(host, server);
  }

  /** Counts what passes, and ends the run when that is enough. */
  private record Counted(IntPredicate isDone, Engine engine) implements Element {
    @Override
    public Shape shape() {
      return Shape.inOut();
    }

    @Override
    public void open(Wiring wiring) {
      var out = wiring.output("out");
      wiring.input(
          "in",
          burst -> {
            if (isDone.test(burst.size())) {
              engine.stop();
            }
            out.push(burst);
          });
    }
  }

  /** Turns addresses and ports round, as who answers does: no checksum notices. */
  private record Answering() implements Element {
    @Override
    public Shape shape() {
      return Shape.inOut();
    }

    @Override
    public void open(Wiring wiring) {
      var out = wiring.output("out");
      wiring.input(
          "in",
          burst -> {
            for (Packet packet : burst) {
              if (packet.u16(12) == EtherType.IPV6) {
                turnRound6(packet);
                continue;
              }
              turnRound(packet);
            }
            out.push(burst);
          });
    }

    static void turnRound(Packet packet) {
      packet.u64(26, Long.rotateLeft(packet.u64(26), 32));
      if (packet.u8(23) == IpProtocol.ICMP) {
        packet.u8(34, Icmp.ECHO_REPLY);
      } else {
        packet.i32(34, Integer.rotateLeft(packet.i32(34), 16));
      }
    }

    private static void turnRound6(Packet packet) {
      long high = packet.u64(22);
      long low = packet.u64(30);
      packet.u64(22, packet.u64(38));
      packet.u64(30, packet.u64(46));
      packet.u64(38, high);
      packet.u64(46, low);
    }
  }

  /** Answers the handshakes of who is on its side of a SYN proxy, and gives on what else comes. */
  private record Shaking() implements Element {
    @Override
    public Shape shape() {
      return Shape.inOut().output("answers");
    }

    @Override
    public void open(Wiring wiring) {
      var out = wiring.output("out");
      var answers = wiring.output("answers");
      HeaderScanner scanner = new HeaderScanner();
      Tcp tcp = new Tcp();
      wiring.input(
          "in",
          burst -> {
            for (Packet packet : burst) {
              scanner.scan(packet);
              tcp.wrap(packet, scanner.l4Offset());
              if (!tcp.has(Tcp.SYN)) {
                continue;
              }
              Answering.turnRound(packet);
              long next = tcp.sequenceNumber() + 1;
              tcp.sequenceNumber(tcp.acknowledgmentNumber());
              tcp.acknowledgmentNumber(next & 0xFFFF_FFFFL);
              tcp.flags(tcp.has(Tcp.ACK) ? Tcp.ACK : Tcp.SYN | Tcp.ACK);
              InternetChecksum.write(packet, scanner);
              answers.send(packet);
            }
            out.push(burst);
          });
    }
  }

  private static Middlebox translator(
      String name, IntFunction<FrameBuilder> frames, Element translator) {
    return new Middlebox(
        name,
        frames,
        (g, in, out) -> {
          Node nat = g.add("nat", translator);
          g.chain(in, nat.in("inside"));
          answer(g, nat, "outside", "outside");
          leave(g, nat, translator, "inside", out);
        });
  }

  /** Few connections, few ports for each host. */
  private static NatSettings settings() {
    return NatSettings.of("203.0.113.1").withConnections(1_024).withMostPorts(40);
  }

  /** Of services and of none, clients that come and go, backends that answer. */
  private static Middlebox balancer() {
    BalancedService service =
        BalancedService.parse("udp 192.0.2.9:53 -> 10.1.0.1:53, 10.1.0.2:53 weight 2");
    Backends backends = new Backends(List.of(service), true);
    Balance balance = new Balance(backends, "", 256, Balance.usual(TrackSettings.DEFAULT));
    return new Middlebox(
        "balance",
        MiddleboxRunTest::ipv4,
        (g, in, out) -> {
          Node node = g.add("balance", balance);
          g.chain(in, node.in("client"));
          answer(g, node, "server", "server");
          leave(g, node, balance, "client", out);
          leave(g, node, balance, "rest", out);
        });
  }

  /** Routes of one hop and of several, none, and packets that are not to live so long. */
  private static Middlebox router() {
    RoutingTable table =
        new RoutingTable(
            List.of(
                new RouterLink("lan", List.of("10.0.0.1/8", "fd01::1/16")),
                new RouterLink("wan", List.of("192.0.2.2/24", "2001:db8::1/64"))));
    RouteText.parse(
        "routes",
        """
        198.51.100.0/24 nexthop via 192.0.2.7 nexthop via 192.0.2.8
        198.51.100.128/25 via 10.0.0.9
        unreachable 203.0.113.0/24
        2001:db8:1::/48 nexthop via 2001:db8::7 nexthop via fe80::8 dev wan
        """,
        table);
    List<String> to =
        List.of(
            "192.0.2.9", "198.51.100.1", "198.51.100.200", "203.0.113.1", "8.8.8.8", "10.0.0.1");
    Route route = new Route(table, 0, Route.Check.STRICT, true);
    return new Middlebox(
        "route",
        i ->
            i % 7 == 0
                ? ipv6(i, i % 2 == 0 ? "2001:db8:1::9" : "2001:db8:2::9")
                : udp4()
                    .between("10.0.0." + (i % 200 + 2), to.get(i % to.size()))
                    .ports(i, 53)
                    .ipv4(ip -> ip.ttl(i % 11 == 0 ? 1 : 64)),
        (g, in, out) -> {
          Node node = g.add("route", route);
          g.chain(in, node.in("in"));
          leave(g, node, route, "ipv", out);
        });
  }

  /** Handshakes that clients and servers end, segments of none, and a table that is full. */
  private static Middlebox synProxy() {
    SynProxy proxy = new SynProxy(List.of(SynService.parse("192.0.2.0/24:80")), 256, 1_500);
    return new Middlebox(
        "syn proxy",
        i ->
            tcp4()
                .between("10.0.0." + i % 200, "192.0.2.9")
                .ports(i, 80)
                .tcp(tcp -> tcp.flags(i % 5 == 0 ? Tcp.ACK : Tcp.SYN)),
        (g, in, out) -> {
          Node node = g.add("proxy", proxy);
          Node clients = g.add("clients", new Shaking());
          Node servers = g.add("servers", new Shaking());
          g.chain(in, node.in("client"));
          g.chain(node.out("client"), clients, out);
          g.chain(node.out("server"), servers, out);
          g.chain(clients.out("answers"), g.add("proof", Queue.dropping(1_024)), node.in("client"));
          g.chain(
              servers.out("answers"), g.add("answer", Queue.dropping(1_024)), node.in("server"));
        });
  }

  static List<Middlebox> middleboxes() {
    Npt npt = Npt.of("fd01:203:405::/48 2001:db8:1::/48");
    Nat nat64 = new Nat(settings().withNat64(Nat64.of("64:ff9b::/96")));
    return List.of(
        translator("nat", MiddleboxRunTest::ipv4, new Nat(settings())),
        translator("npt", i -> ipv6(i, "2001:db8:ff::9"), npt),
        translator("nat64", i -> ipv6(i, "64:ff9b::c000:209"), nat64),
        balancer(),
        router(),
        synProxy());
  }

  @ParameterizedTest
  @MethodSource("middleboxes")
  void shouldAllocateNothingPerPacket(Middlebox box) {
    AllocationMeter meter = new AllocationMeter(ROUND_PACKETS);
    RunSummary _ =
        run(
            box,
            false,
            count -> {
              meter.add(count);
              return meter.isDone();
            });
    meter.assertQuiet();
  }

  /** Of elements before it and behind it. */
  @ParameterizedTest
  @MethodSource("middleboxes")
  void shouldLoseNoPacketWhenHandlersThrow(Middlebox box) {
    AtomicInteger packets = new AtomicInteger();
    RunSummary summary = run(box, true, count -> packets.addAndGet(count) > SOME_PACKETS);
    assertThat(summary.packets().dropped().get("handler_error"))
        .isGreaterThanOrEqualTo(SOME_PACKETS / Failing.ONE_OF);
  }

  /** A program under test. */
  record Middlebox(String name, IntFunction<FrameBuilder> frames, Program program) {
    @Override
    public String toString() {
      return name;
    }
  }

  /** Fails at one packet of some. */
  private record Failing() implements Element {
    private static final int ONE_OF = 97;

    @Override
    public Shape shape() {
      return Shape.inOut();
    }

    @Override
    public void open(Wiring wiring) {
      var out = wiring.output("out");
      int[] seen = {0};
      wiring.input(
          "in",
          burst -> {
            for (Packet packet : burst) {
              if (packet.isLive() && ++seen[0] % ONE_OF == 0) {
                throw new IllegalStateException(ON_PURPOSE);
              }
            }
            out.push(burst);
          });
    }
  }

  /** Part of a graph. */
  interface Program {
    /**
     * Adds the middlebox.
     *
     * @param in whose output the packets come from
     * @param out where they go
     */
    void build(GraphBuilder g, Node in, Node out);
  }

  /** What leaves {@code box} by one of its ports is answered by another. */
  private static void answer(GraphBuilder g, Node box, String output, String input) {
    g.chain(
        box.out(output),
        g.add("server", new Answering()),
        g.add("back", Queue.dropping(1_024)),
        box.in(input));
  }

  private static void leave(GraphBuilder g, Node node, Element element, String outputs, Node out) {
    element.shape().outputs().stream()
        .map(ElementPort::name)
        .filter(name -> name.startsWith(outputs))
        .forEach(name -> g.chain(node.out(name), out));
  }

  /**
   * @param isDone whether that is enough, with so many packets more
   * @param fails whether elements before it and behind it do
   */
  private RunSummary run(Middlebox box, boolean fails, IntPredicate isDone) {
    RunSummary summary;
    try (Engine engine = new Engine()) {
      engine.port("in", "pcap:rx=" + capture(box.frames) + ",loop=forever,tx=/dev/null");
      Graph graph =
          Graph.of(g -> {
            Node in = g.add("counted", new Counted(isDone, engine));
            Node out = g.add("out", new ToPort("in"));
            g.chain(g.add("from", new FromPort("in")), in);
            if (fails) {
              Node before = g.add("before", new Failing());
              Node behind = g.add("behind", new Failing());
              g.chain(in, before);
              g.chain(behind, out);
              box.program.build(g, before, behind);
            } else {
              box.program.build(g, in, out);
            }
          });
      GraphRunner.install(graph, engine);
      summary = engine.run();
    }
    assertThat(summary.failures()).hasSize(fails ? 2 : 0).allMatch(it -> it.contains(ON_PURPOSE));
    assertThat(summary.packets().isConserved()).isTrue();
    assertThat(summary.packets().sent()).isPositive();
    return summary;
  }
}
