package io.linerate.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.linerate.core.config.ConfigException;
import io.linerate.core.config.EngineConfig;
import io.linerate.core.memory.Burst;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.Packet;
import io.linerate.core.port.DriverPort;
import io.linerate.core.statistics.PacketCounts;
import io.linerate.core.statistics.RunSummary;
import io.linerate.core.worker.Engine;
import io.linerate.driver.pcap.CaptureWriter;
import io.linerate.graph.element.Classifier;
import io.linerate.graph.element.Counter;
import io.linerate.graph.element.Discard;
import io.linerate.graph.element.FromPort;
import io.linerate.graph.element.ToPort;
import io.linerate.testkit.Frames;
import io.linerate.testkit.Packets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Graphs on engines. */
class GraphRunTest {
  private static final int PACKETS = 1_000;

  @TempDir Path folder;

  /** Numbered frames, every fourth of them an ARP frame by its type. */
  private String capture() {
    Path file = folder.resolve("in.pcap");
    try (Packets packets = new Packets();
        CaptureWriter writer = CaptureWriter.create(file, 0)) {
      List<byte[]> frames = Frames.numbered(PACKETS, 64);
      for (int i = 0; i < PACKETS; i++) {
        byte[] frame = frames.get(i);
        frame[12] = 8;
        frame[13] = (byte) (i % 4 == 0 ? 6 : 0);
        writer.write(packets.of(frame));
      }
    }
    return "pcap:rx=" + file;
  }

  private static Graph split() {
    return Graph.of(g -> {
      Node kind = g.add("kind", Classifier.of("arp 12/0806", "rest -"));
      Node out = g.add("out", new ToPort("out"));
      g.chain(g.add("in", new FromPort("in")), kind.out("rest"), g.add("seen", new Counter()), out);
      g.chain(kind.out("arp"), g.add("arp", new Discard()));
    });
  }

  @Test
  void shouldTakeEachPacketTheWayThatTheGraphSays() {
    try (Engine engine = new Engine()) {
      engine.port("in", capture());
      DriverPort out = engine.drivers().open("out", "ring:out,size=4096");
      GraphRunner runner = GraphRunner.install(split(), engine);
      RunSummary summary = engine.run();

      assertThat(summary.failures()).isEmpty();
      assertThat(summary.packets().received()).isEqualTo(PACKETS);
      assertThat(summary.packets().sent()).isEqualTo(PACKETS * 3 / 4);
      assertThat(summary.packets().dropped()).containsExactly(entry("consumed", 250L));
      assertThat(summary.packets().isConserved()).isTrue();
      assertThat(out.statistics().txPackets()).isEqualTo(750);
      assertThat(runner.counts("in").packetsIn()).isEqualTo(PACKETS);
      assertThat(runner.counts("kind").packetsOut()).isEqualTo(PACKETS);
      assertThat(runner.counts("seen").packetsIn()).isEqualTo(750);
      assertThat(runner.counts("seen").bytesOut()).isEqualTo(750 * 64);
      assertThat(runner.counts("out").packetsOut()).isEqualTo(750);
      assertThat(runner.counts("arp").dropped()).containsExactly(entry("consumed", 250L));
      assertThat(runner.read("seen.packets").sum()).isEqualTo(750);
      assertThat(runner.edges())
          .extracting(EdgeCounts::toString)
          .anyMatch(text -> text.contains("kind [arp] -> [in] arp, packets=250"));
    }
  }

  /** Has a number for itself on each worker, and one that all have in common. */
  private record Added() implements Element {
    @Override
    public void open(Wiring wiring) {
      wiring.input("in", wiring.output("out")::push);
      AtomicLong own = new AtomicLong();
      AtomicLong all = wiring.shared(AtomicLong::new);
      wiring.read("own", ValueType.NUMBER, own::get);
      wiring.write("own", ValueType.NUMBER, own::addAndGet);
      wiring.readShared("all", ValueType.NUMBER, all::get);
      wiring.writeShared("all", ValueType.NUMBER, all::addAndGet);
    }
  }

  @Test
  void shouldReadAndWriteOnceWhatWorkersHaveInCommon() {
    EngineConfig config = EngineConfig.DEFAULT.withWorkers(2).withQueues(2);
    try (Engine engine = new Engine(config)) {
      engine.port("in", "ring:in");
      engine.drivers().open("out", "ring:out");
      Graph graph =
          Graph.of(g ->
              g.chain(
                  g.add("in", new FromPort("in")),
                  g.add("added", new Added()),
                  g.add("out", new ToPort("out"))));
      GraphRunner runner = GraphRunner.install(graph, engine);
      engine.start();
      runner.write("added.own", "5");
      runner.write("added.all", "5");
      assertThat(runner.read("added.own").values()).containsExactly(5L, 5L);
      assertThat(runner.read("added.all").values()).containsExactly(5L);
    }
  }

  /** Of two workers, as each has it. */
  private static String text(String first, String second) {
    return new Reading("nat.table", ValueType.TEXT, false, List.of(first, second)).text();
  }

  @Test
  void shouldReadLinesOfSeveralWorkersBelowEachOther() {
    assertThat(text("a 1\n", "b 2\nb 3\n")).isEqualTo("a 1\nb 2\nb 3\n");
    assertThat(text("", "b 2\n")).isEqualTo("b 2\n");
    assertThat(text("a 1\n", "")).isEqualTo("a 1\n");
    assertThat(text("a 1", "b 2\nb 3")).isEqualTo("a 1\nb 2\nb 3");
    assertThat(text("a", "b")).isEqualTo("a, b");
    assertThat(text("a", "a")).isEqualTo("a");
  }

  @Test
  void shouldCountAtTheElementWhatThePortRefuses() {
    EngineConfig config = EngineConfig.DEFAULT.withTxRetryUs(1);
    try (Engine engine = new Engine(config)) {
      engine.port("in", capture());
      engine.port("out", "ring:out,size=64"); // Nobody empties it.
      GraphRunner runner = GraphRunner.install(split(), engine);
      PacketCounts packets = engine.run().packets();

      assertThat(packets.isConserved()).isTrue();
      assertThat(packets.dropped()).containsEntry("tx_full", 750L - 64);
      ElementCounts out = runner.counts("out");
      assertThat(out.dropped()).containsExactly(entry("tx_full", 750L - 64));
      assertThat(out.packetsOut()).isEqualTo(64);
      assertThat(out.packetsIn()).isEqualTo(750);
    }
  }

  /** Forgets, drops and fails. */
  private record Careless() implements Element {
    @Override
    public Shape shape() {
      return Shape.inOut();
    }

    @Override
    public void open(Wiring wiring) {
      Outlet out = wiring.output("out");
      wiring.input(
          "in",
          burst -> {
            for (Packet packet : burst) {
              switch ((int) Frames.number(packet) % 4) {
                case 0 -> packet.length();
                case 1 -> packet.u8(1_000);
                default -> out.send(packet);
              }
            }
          });
    }
  }

  @Test
  void shouldEndEachPacketOfCarelessElementsOnce() {
    try (Engine engine = new Engine()) {
      engine.port("in", capture());
      GraphRunner runner =
          GraphRunner.install(
              Graph.of(g ->
                  g.chain(
                      g.add("in", new FromPort("in")),
                      g.add("careless", new Careless()),
                      g.add("end", new Discard()))),
              engine);
      PacketCounts packets = engine.run().packets();
      assertThat(packets.isConserved()).isTrue();
      assertThat(packets.dropped())
          .containsOnly(
              entry("forgotten", 250L), entry("handler_error", 250L), entry("consumed", 500L));
      assertThat(runner.counts("careless").dropped())
          .containsOnly(entry("forgotten", 250L), entry("handler_error", 250L));
      assertThat(runner.counts("end").dropped()).containsExactly(entry("consumed", 500L));
    }
  }

  /** Has a handler of its own, between two ports and before an end that consumes. */
  private record Between(BiConsumer<Burst, Outlet> handler) implements Element {
    @Override
    public Shape shape() {
      return Shape.inOut();
    }

    @Override
    public void open(Wiring wiring) {
      Outlet out = wiring.output("out");
      wiring.input("in", burst -> handler.accept(burst, out));
    }
  }

  private PacketCounts runBetween(List<Long> numbers, BiConsumer<Burst, Outlet> handler) {
    Graph graph =
        Graph.of(g ->
            g.chain(
                g.add("in", new FromPort("in")),
                g.add("between", new Between(handler)),
                g.add(
                    "seen",
                    new Between((burst, out) -> {
                      burst.forEach(packet -> numbers.add(Frames.number(packet)));
                      out.push(burst);
                    })),
                g.add("end", new Discard())));
    try (Engine engine = new Engine()) {
      engine.port("in", capture());
      GraphRunner.install(graph, engine);
      PacketCounts packets = engine.run().packets();
      assertThat(packets.isConserved()).isTrue();
      return packets;
    }
  }

  @Test
  void shouldHandOnWhatIsPushedBeforeWhatIsSentAfterwards() {
    List<Long> numbers = new ArrayList<>();
    PacketCounts packets =
        runBetween(
            numbers,
            (burst, out) -> {
              out.push(burst);
              Packet made = out.create(64);
              if (made != null) {
                made.u64(14, -1L);
              }
            });
    assertThat(packets.made()).isPositive();
    assertThat(numbers).hasSize((int) (PACKETS + packets.made())).endsWith(PACKETS - 1L, -1L);
    assertThat(numbers.stream().filter(number -> number >= 0)).isSorted();
    assertThat(numbers.subList(0, 2)).containsExactly(0L, 1L);
  }

  @Test
  void shouldNotHandOnWhatIsDroppedAfterItWasPushed() {
    List<Long> numbers = new ArrayList<>();
    PacketCounts packets =
        runBetween(
            numbers,
            (burst, out) -> {
              out.push(burst);
              burst.packet(0).drop(DropReason.MALFORMED);
            });
    assertThat(packets.dropped().get("malformed")).isPositive();
    assertThat(packets.dropped()).containsEntry("consumed", (long) numbers.size());
  }

  @Test
  void shouldHandOnWhatWasPushedByAnElementThatThrowsAfterwards() {
    List<Long> numbers = new ArrayList<>();
    PacketCounts packets =
        runBetween(
            numbers,
            (burst, out) -> {
              out.push(burst);
              throw new IllegalStateException("after the push");
            });
    assertThat(packets.dropped()).containsExactly(entry("consumed", (long) PACKETS));
    assertThat(numbers).hasSize(PACKETS);
  }

  /** What docs/architecture.md says of the walk of a burst. */
  @Test
  void shouldCallElementsThroughInletAndOutletOnly() {
    Set<String> callers = new LinkedHashSet<>();
    Graph graph =
        Graph.of(g ->
            g.chain(
                g.add("in", new FromPort("in")),
                g.add("seen", new StackReader(callers)),
                g.add("end", new Discard())));
    try (Engine engine = new Engine()) {
      engine.port("in", capture());
      GraphRunner.install(graph, engine);
      RunSummary _ = engine.run();
    }
    assertThat(callers).startsWith("Inlet", "QueuePoller");
  }

  /** Notes the classes that a burst comes through from the worker to here. */
  private record StackReader(Set<String> callers) implements Element {
    @Override
    public Shape shape() {
      return Shape.inOut();
    }

    @Override
    public void open(Wiring wiring) {
      Outlet out = wiring.output("out");
      wiring.input(
          "in",
          burst -> {
            StackWalker.getInstance()
                .walk(frames ->
                    frames
                        .map(frame -> frame.getClassName())
                        .filter(name -> !name.startsWith(StackReader.class.getName()))
                        .takeWhile(name -> name.startsWith("io.linerate"))
                        .map(name -> name.substring(name.lastIndexOf('.') + 1))
                        .toList())
                .forEach(callers::add);
            out.push(burst);
          });
    }
  }

  @Test
  void shouldSayWhatThereIsToReadWhenAskedForSomethingElse() {
    try (Engine engine = new Engine()) {
      engine.port("in", capture());
      engine.port("out", "ring:out");
      GraphRunner runner = GraphRunner.install(split(), engine);
      assertThatThrownBy(() -> runner.read("seen.rate"))
          .isInstanceOf(ConfigException.class)
          .hasMessageContainingAll("element=seen", "handler=rate", "packets", "bytes");
      assertThatThrownBy(() -> runner.read("sen.packets"))
          .isInstanceOf(ConfigException.class)
          .hasMessageContainingAll("element=sen", "seen");
      assertThat(runner.read("kind.patterns").text()).isEqualTo("arp 12/0806; rest -");
    }
  }
}
