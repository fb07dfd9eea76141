package io.linerate.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.Packet;
import io.linerate.core.statistics.RunSummary;
import io.linerate.core.worker.Engine;
import io.linerate.driver.pcap.CaptureWriter;
import io.linerate.graph.element.Counter;
import io.linerate.graph.element.Discard;
import io.linerate.graph.element.FromPort;
import io.linerate.testkit.Frames;
import io.linerate.testkit.Packets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Elements that handle packet by packet: one loop for several, or one for each. */
class PacketByPacketTest {
  private static final int FRAMES = 5_000;
  private static final DropReason THIRD = DropReason.named("third");
  private static final DropReason ELSEWHERE = DropReason.named("elsewhere");

  @TempDir Path folder;
  private String source = "";

  @BeforeEach
  void writeCapture() {
    Path file = folder.resolve("in.pcap");
    try (Packets packets = new Packets();
        CaptureWriter writer = CaptureWriter.create(file, 0)) {
      for (byte[] frame : Frames.numbered(FRAMES, 64)) {
        writer.write(packets.of(frame));
      }
    }
    source = "pcap:rx=" + file;
  }

  /** Does something with each packet; what it sends goes to its second output. */
  private record Each(String name, BiConsumer<Packet, Outlet> action) implements Element {
    @Override
    public Shape shape() {
      return Shape.inOut().optionalOutput("other");
    }

    @Override
    public void open(Wiring wiring) {
      Outlet other = wiring.output("other", ELSEWHERE);
      wiring.each("in", packet -> action.accept(packet, other), wiring.output("out"));
    }
  }

  private static Each each(String name, BiConsumer<Packet, Outlet> action) {
    return new Each(name, action);
  }

  private static long number(Packet packet) {
    return Frames.number(packet);
  }

  /** One drops, one fails, one sends elsewhere, two change lengths, and the last two look. */
  private static List<Each> motley(List<String> seen) {
    return List.of(
        each("cut", (packet, _) -> packet.shrinkTail((int) (number(packet) % 5))),
        each(
            "third",
            (packet, _) -> {
              if (number(packet) % 3 == 0) {
                packet.drop(THIRD);
              }
            }),
        each(
            "failing",
            (packet, _) -> {
              packet.shrinkTail(1); // What is done twice shows.
              if (number(packet) % 10 == 1) {
                packet.u8(1_000);
              } else if (number(packet) % 10 == 2) {
                packet.drop(THIRD);
                packet.length();
              }
            }),
        each(
            "elsewhere",
            (packet, other) -> {
              if (number(packet) % 7 == 0) {
                other.send(packet);
              }
            }),
        each("shorter", (packet, _) -> packet.shrinkHead(1)),
        each("seen", (packet, _) -> seen.add(packet.u64(13) + " " + packet.length())));
  }

  /** What each element has counted, and how the run ended. */
  private record Outcome(
      Map<String, ElementCounts> counts, Map<String, Long> drops, int failures) {}

  private Outcome run(List<Each> elements, boolean isFused) {
    Graph graph =
        Graph.of(g -> {
          Node last = g.add("in", new FromPort("in"));
          for (Each element : elements) {
            Node next = g.add(element.name(), element);
            if (isFused) {
              g.chain(last, next);
            } else { // It takes whole bursts.
              g.chain(last, g.add("before-" + element.name(), new Counter()), next);
            }
            last = next;
          }
          g.chain(last, g.add("end", new Discard()));
        });
    try (Engine engine = new Engine()) { // Its end throws if a buffer is missing.
      engine.port("in", source);
      GraphRunner runner = GraphRunner.install(graph, engine);
      RunSummary summary = engine.run();
      assertThat(summary.packets().isConserved()).isTrue();
      Map<String, ElementCounts> counts = new LinkedHashMap<>();
      elements.forEach(element -> counts.put(element.name(), runner.counts(element.name())));
      counts.put("end", runner.counts("end"));
      return new Outcome(counts, summary.packets().dropped(), summary.failures().size());
    }
  }

  @Test
  void shouldCountForEachElementInOneLoopAsInSeveral() {
    List<String> seenFused = new ArrayList<>();
    List<String> seen = new ArrayList<>();
    Outcome fused = run(motley(seenFused), true);
    Outcome single = run(motley(seen), false);

    assertThat(seenFused).isEqualTo(seen).hasSizeBetween(FRAMES / 3, FRAMES / 2);
    assertThat(fused.counts()).isEqualTo(single.counts());
    assertThat(fused.drops()).isEqualTo(single.drops());
    assertThat(fused.failures()).isEqualTo(single.failures()).isPositive();
    assertThat(fused.counts().get("third").dropped())
        .containsOnlyKeys("third")
        .containsEntry("third", (FRAMES + 2) / 3L);
    assertThat(fused.counts().get("failing").dropped()).containsOnlyKeys("third", "handler_error");
    assertThat(fused.counts().get("elsewhere").dropped()).containsOnlyKeys("elsewhere");
  }

  @Test
  void shouldGiveEachPacketToAllElementsBeforeTheNext() {
    List<String> calls = new ArrayList<>();
    run(
        List.of(
            each("first", (packet, _) -> calls.add("first " + number(packet))),
            each("second", (packet, _) -> calls.add("second " + number(packet)))),
        true);
    assertThat(calls).startsWith("first 0", "second 0", "first 1", "second 1");
    assertThat(calls).hasSize(2 * FRAMES);
  }

  @Test
  void shouldHandlePacketsOfMoreElementsThanOneLoopTakes() {
    int elements = 100;
    List<Each> steps = new ArrayList<>();
    for (int i = 0; i < elements; i++) {
      int offset = 22 + i % 40;
      steps.add(each("step" + i, (packet, _) -> packet.u8(offset, (packet.u8(offset) + 1) & 0xFF)));
    }
    List<Integer> last = new ArrayList<>();
    steps.add(each("look", (packet, _) -> last.add(packet.u8(22) - packet.u8(61))));
    Outcome outcome = run(steps, true);
    assertThat(last).hasSize(FRAMES).containsOnly(last.getFirst());
    assertThat(outcome.counts().get("step99").packetsOut()).isEqualTo(FRAMES);
    assertThat(outcome.counts().get("end").packetsIn()).isEqualTo(FRAMES);
  }

  /** Gives what is left to the first of two outputs, either of which may lead nowhere. */
  private record Fork() implements Element {
    @Override
    public Shape shape() {
      return Shape.NONE.input("in").optionalOutput("first").optionalOutput("second");
    }

    @Override
    public void open(Wiring wiring) {
      wiring.each("in", Packet::length, wiring.output("first"));
    }
  }

  private static Graph fork(String output, Each look) {
    return Graph.of(g -> {
      Node fork = g.add("fork", new Fork());
      g.chain(g.add("in", new FromPort("in")), fork);
      g.chain(fork.out(output), g.add("look", look), g.add("end", new Discard()));
    });
  }

  @Test
  void shouldNoticeThatAnotherOutputLeadsToTheSameElement() {
    Each look = each("look", (_, _) -> {});
    try (Engine engine = new Engine()) {
      engine.port("in", source);
      GraphRunner runner = GraphRunner.install(fork("first", look), engine);
      runner.change(fork("second", look));
      RunSummary summary = engine.run();
      assertThat(summary.packets().dropped()).containsOnlyKeys("unconnected");
      assertThat(runner.counts("look").packetsIn()).isZero();
      assertThat(runner.counts("fork").packetsOut()).isZero();
    }
  }

  /** Gives what is left to whatever output it is given. */
  private record Astray(List<Outlet> outputs) implements Element {
    @Override
    public void open(Wiring wiring) {
      outputs.add(wiring.output("out"));
      wiring.each("in", Packet::length, outputs.getFirst());
    }
  }

  @Test
  void shouldRefuseTheOutputOfAnotherElement() {
    List<Outlet> outputs = new ArrayList<>();
    Graph graph =
        Graph.of(g ->
            g.chain(
                g.add("in", new FromPort("in")),
                g.add("first", new Astray(outputs)),
                g.add("second", new Astray(outputs)),
                g.add("end", new Discard())));
    try (Engine engine = new Engine()) {
      engine.port("in", source);
      assertThatThrownBy(() -> GraphRunner.install(graph, engine))
          .hasStackTraceContaining("output is another element's: element=second, port=out");
    }
  }

  @Test
  void shouldLoseNoCountWhenAFileThatIsReadBecomesShorter() {
    List<String> seen = new ArrayList<>();
    Outcome outcome =
        run(
            List.of(
                each("before", (_, _) -> {}),
                each(
                    "reader",
                    (packet, _) -> {
                      seen.add("");
                      if (seen.size() == 10) {
                        packet.drop(THIRD);
                        throw new InternalError(
                            "a fault occurred in an unsafe memory access operation");
                      }
                    }),
                each("behind", (_, _) -> {})),
            true);
    ElementCounts reader = outcome.counts().get("reader");
    assertThat(outcome.counts().get("before").packetsOut()).isEqualTo(reader.packetsIn());
    assertThat(reader.dropped()).containsOnly(entry("third", 1L));
    assertThat(reader.packetsIn()).isEqualTo(reader.packetsOut() + reader.droppedTotal());
    assertThat(reader.bytesIn()).isEqualTo(64 * reader.packetsIn());
    assertThat(reader.bytesOut()).isEqualTo(64 * reader.packetsOut());
    ElementCounts behind = outcome.counts().get("behind");
    assertThat(behind.dropped()).containsOnlyKeys("handler_error");
    assertThat(behind.packetsIn()).isEqualTo(behind.packetsOut() + behind.droppedTotal());
  }
}
