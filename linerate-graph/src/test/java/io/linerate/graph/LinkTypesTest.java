package io.linerate.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.entry;

import io.linerate.core.config.ConfigException;
import io.linerate.core.memory.Burst;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.LinkType;
import io.linerate.core.port.Port;
import io.linerate.core.statistics.PacketCounts;
import io.linerate.core.worker.BurstHandler;
import io.linerate.core.worker.Engine;
import io.linerate.core.worker.Output;
import io.linerate.driver.pcap.CaptureWriter;
import io.linerate.graph.element.CheckIpv4;
import io.linerate.graph.element.Counter;
import io.linerate.graph.element.FromPort;
import io.linerate.graph.element.ToEthernet;
import io.linerate.graph.element.ToPort;
import io.linerate.testkit.Frames;
import io.linerate.testkit.Packets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ports that bring other packets than Ethernet frames, in graphs and before handlers. */
class LinkTypesTest {
  private static final int PACKETS = 100;

  @TempDir Path folder;

  /** A file of raw IP packets. */
  private String raw() {
    return capture(LinkType.RAW, LinkType.RAW);
  }

  /** A file of packets of two types by turns. */
  private String capture(LinkType even, LinkType odd) {
    Path file = folder.resolve("in.pcapng");
    try (Packets packets = new Packets();
        CaptureWriter writer = CaptureWriter.create(file, 0, Set.of(LinkType.RAW))) {
      for (int i = 0; i < PACKETS; i++) {
        byte[] packet = Frames.numbered(1, 64).getFirst();
        packet[0] = 0x45;
        var made = packets.of(packet);
        made.linkType(i % 2 == 0 ? even : odd);
        writer.write(made);
      }
    }
    return "pcap:rx=" + file + ",linktype=any";
  }

  private static Graph chain(Element... between) {
    return Graph.of(g -> {
      List<Node> nodes = new ArrayList<>();
      nodes.add(g.add("in", new FromPort("in")));
      for (Element element : between) {
        nodes.add(g.add(element.getClass().getSimpleName(), element));
      }
      nodes.add(g.add("out", new ToPort("out")));
      g.chain(nodes.toArray(Node[]::new));
    });
  }

  private static List<String> problems(Graph graph, Engine engine) {
    return catchThrowableOfType(GraphException.class, () -> GraphRunner.install(graph, engine))
        .problems()
        .stream()
        .map(GraphProblem::toString)
        .toList();
  }

  @Test
  void shouldSayWhichElementNeedsEthernetFrames() {
    try (Engine engine = new Engine()) {
      engine.port("in", raw().replace("any", "RAW"));
      engine.port("out", "pcap:tx=" + folder.resolve("out.pcap"));
      assertThat(problems(chain(new Counter(), new CheckIpv4()), engine))
          .containsExactly(
              "element needs Ethernet frames, and gets packets of link type RAW: element=CheckIpv4; put a ToEthernet before it, or choose what the port brings with linktype= in its address");
    }
  }

  @Test
  void shouldSayWhichPortDoesNotTransmitThem() {
    try (Engine engine = new Engine()) {
      engine.port("in", raw());
      engine.port("out", "ring:out");
      assertThat(problems(chain(new Counter()), engine))
          .containsExactly(
              "port does not transmit packets of link type any: element=out, port=out; put a ToEthernet before it, or transmit to a capture file");
    }
  }

  @Test
  void shouldTakeThemWhereTheyAreMadeFrames() {
    try (Engine engine = new Engine()) {
      engine.port("in", raw());
      Port out = engine.port("out", "ring:out");
      Graph graph = chain(new Counter(), new ToEthernet(), new Passing());
      GraphRunner.install(graph, engine);
      PacketCounts packets = engine.run().packets();
      assertThat(packets.sent()).isEqualTo(PACKETS);
      assertThat(packets.isConserved()).isTrue();
      assertThat(out.statistics().txBytes()).isEqualTo(PACKETS * (64 + 14));
    }
  }

  /** Needs Ethernet frames. */
  private record Passing() implements Element {
    @Override
    public void open(Wiring wiring) {
      Outlet out = wiring.output("out");
      wiring.input("in", out);
    }
  }

  /** Makes a token of each packet, whatever link type that has. */
  private record Lengths() implements Element {
    @Override
    public Shape shape() {
      return Shape.NONE
          .input("in")
          .optionalOutput("packets")
          .tokenOutput("out", TokenType.LONGS)
          .anyLink();
    }

    @Override
    public void open(Wiring wiring) {
      wiring.linkEach(
          "in",
          links -> {
            LongOutlet tokens = links.longs("out");
            return packet -> tokens.accept(packet.length());
          },
          wiring.output("packets", DropReason.CONSUMED));
    }
  }

  /** Knows of no packets. */
  private record Sum(AtomicLong sum) implements Element {
    @Override
    public Shape shape() {
      return Shape.NONE.tokenInput("in", TokenType.LONGS);
    }

    @Override
    public void open(Wiring wiring) {
      wiring.longs("in", sum::addAndGet);
    }
  }

  @Test
  void shouldLetTokensOfThemGoAnywhere() {
    AtomicLong sum = new AtomicLong();
    try (Engine engine = new Engine()) {
      engine.port("in", raw());
      Graph graph =
          Graph.of(g -> {
            Node lengths = g.add("lengths", new Lengths());
            g.chain(g.add("from", new FromPort("in")), lengths);
            g.chain(lengths.out("out"), g.add("sum", new Sum(sum)));
          });
      GraphRunner.install(graph, engine);
      engine.run();
    }
    assertThat(sum).hasValue(PACKETS * 64L);
  }

  @Test
  void shouldKeepTheTypeOnTheWayIntoAFile() {
    Path copy = folder.resolve("copy.pcapng");
    try (Engine engine = new Engine()) {
      engine.port("in", capture(LinkType.RAW, LinkType.LINUX_SLL));
      engine.port("out", "pcap:tx=" + copy);
      GraphRunner.install(chain(new Counter()), engine);
      assertThat(engine.run().packets().sent()).isEqualTo(PACKETS);
    }
    List<LinkType> types = new ArrayList<>();
    try (Engine engine = new Engine()) {
      Port in = engine.port("in", "pcap:rx=" + copy + ",linktype=any");
      engine.worker().input(in, any(burst -> burst.forEach(p -> types.add(p.linkType()))));
      engine.run();
    }
    assertThat(types).hasSize(PACKETS).startsWith(LinkType.RAW, LinkType.LINUX_SLL, LinkType.RAW);
  }

  /** A handler that takes packets of any type. */
  private static BurstHandler any(BurstHandler handler) {
    return new BurstHandler() {
      @Override
      public void onBurst(Burst burst) throws Exception {
        handler.onBurst(burst);
      }

      @Override
      public boolean takes(LinkType type) {
        return true;
      }
    };
  }

  @Test
  void shouldNotGiveAHandlerWhatItDoesNotTake() {
    try (Engine engine = new Engine()) {
      Port in = engine.port("in", raw().replace("any", "RAW"));
      assertThatThrownBy(() -> engine.worker().input(in, burst -> {}))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining("handler does not take what the port brings: port=in")
          .hasMessageContaining("linktype=RAW; let BurstHandler.takes say that it does");
    }
  }

  @Test
  void shouldDropWhatAPortDoesNotTransmit() {
    try (Engine engine = new Engine()) {
      Port in = engine.port("in", capture(LinkType.RAW, LinkType.ETHERNET));
      Port out = engine.port("out", "ring:out");
      Output output = engine.worker().output(out);
      engine.worker().input(in, any(output::sendAll));
      PacketCounts packets = engine.run().packets();
      assertThat(packets.sent()).isEqualTo(PACKETS / 2);
      assertThat(packets.dropped()).containsExactly(entry("tx_link_type", PACKETS / 2L));
      assertThat(packets.isConserved()).isTrue();
    }
  }
}
