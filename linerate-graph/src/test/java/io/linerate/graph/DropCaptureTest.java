package io.linerate.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.linerate.core.config.ConfigException;
import io.linerate.core.config.EngineConfig;
import io.linerate.core.config.Idle;
import io.linerate.core.memory.DropReason;
import io.linerate.core.statistics.RunSummary;
import io.linerate.core.worker.Engine;
import io.linerate.driver.pcap.CaptureTap;
import io.linerate.driver.pcap.CaptureWriter;
import io.linerate.driver.pcap.DropCapture;
import io.linerate.driver.pcap.DropFilter;
import io.linerate.graph.element.Discard;
import io.linerate.graph.element.FromPort;
import io.linerate.graph.element.ToPort;
import io.linerate.testkit.AllocationMeter;
import io.linerate.testkit.CommentedPacket;
import io.linerate.testkit.Frames;
import io.linerate.testkit.Packets;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a program drops is captured with why and where, while it runs. */
class DropCaptureTest {
  private static final int FRAMES = 3_000;
  private static final int RING_PACKETS = 64;
  private static final DropReason THIRD = DropReason.named("third");
  private static final DropReason FIFTH = DropReason.named("fifth");

  @TempDir Path folder;
  private String source = "";
  private Path drops = Path.of("");

  @BeforeEach
  void writeCapture() {
    drops = folder.resolve("drops.pcapng");
    Path file = folder.resolve("in.pcap");
    try (Packets packets = new Packets();
        CaptureWriter writer = CaptureWriter.create(file, 0)) {
      for (byte[] frame : Frames.numbered(FRAMES, 64)) {
        writer.write(packets.of(frame));
      }
    }
    source = "pcap:rx=" + file;
  }

  /** Drops each packet whose number is a multiple. */
  private record Multiples(int of, DropReason reason) implements Element {
    @Override
    public Shape shape() {
      return Shape.inOut();
    }

    @Override
    public void open(Wiring wiring) {
      wiring.each(
          "in",
          packet -> {
            if (Frames.number(packet) % of == 0) {
              packet.drop(reason);
            }
          },
          wiring.output("out"));
    }
  }

  /** Two elements in one loop, and a port that has no room for what is left. */
  private static Graph graph() {
    return Graph.of(g ->
        g.chain(
            g.add("in", new FromPort("in")),
            g.add("third", new Multiples(3, THIRD)),
            g.add("fifth", new Multiples(5, FIFTH)),
            g.add("out", new ToPort("out"))));
  }

  private CaptureTap file(long packets, int snapBytes) {
    return new CaptureTap(CaptureWriter.create(drops, snapBytes), packets, Long.MAX_VALUE, _ -> {});
  }

  @SuppressWarnings("try") // Closed before it says what it missed.
  private RunSummary run(DropFilter filter, CaptureTap file) {
    try (Engine engine = new Engine()) {
      engine.port("in", source);
      engine.port("out", "ring:full,size=" + RING_PACKETS);
      GraphRunner.install(graph(), engine);
      RunSummary summary;
      try (DropCapture capture = DropCapture.start(engine, filter, file)) {
        summary = engine.run();
        capture.close();
        assertThat(capture.missed()).isZero();
      }
      assertThat(summary.packets().isConserved()).isTrue();
      return summary;
    } finally {
      file.close();
    }
  }

  private static Map<String, Long> byComment(List<CommentedPacket> packets) {
    return packets.stream()
        .collect(Collectors.groupingBy(CommentedPacket::comment, Collectors.counting()));
  }

  private static long number(CommentedPacket packet) {
    return ByteBuffer.wrap(packet.bytes()).getLong(14);
  }

  @Test
  void shouldSayWhyAndWhereEachPacketWasDropped() throws Exception {
    RunSummary summary = run(DropFilter.ALL, file(Long.MAX_VALUE, 0));
    List<CommentedPacket> captured = CommentedPacket.read(drops);
    Map<String, Long> dropped = summary.packets().dropped();

    assertThat(byComment(captured))
        .isEqualTo(
            Map.of(
                "reason=third, element=third, worker=0",
                dropped.get("third"),
                "reason=fifth, element=fifth, worker=0",
                dropped.get("fifth"),
                "reason=tx_full, element=out, port=out, worker=0",
                dropped.get("tx_full")));
    assertThat(dropped.get("tx_full")).isEqualTo(FRAMES * 8 / 15 - RING_PACKETS);
    assertThat(captured).extracting(DropCaptureTest::number).doesNotHaveDuplicates();
    for (CommentedPacket packet : captured) {
      boolean isThird = packet.comment().startsWith("reason=third");
      boolean isFifth = packet.comment().startsWith("reason=fifth");
      assertThat(isThird).isEqualTo(number(packet) % 3 == 0);
      assertThat(isFifth).isEqualTo(number(packet) % 5 == 0 && !isThird);
    }
  }

  @Test
  void shouldCaptureTheDropsOfAnElementOrAReason() throws Exception {
    run(new DropFilter(Optional.empty(), Optional.of("fifth")), file(Long.MAX_VALUE, 0));
    assertThat(byComment(CommentedPacket.read(drops)))
        .isEqualTo(Map.of("reason=fifth, element=fifth, worker=0", FRAMES * 2L / 15));
    run(new DropFilter(Optional.of("third"), Optional.empty()), file(Long.MAX_VALUE, 0));
    assertThat(byComment(CommentedPacket.read(drops)))
        .isEqualTo(Map.of("reason=third, element=third, worker=0", FRAMES / 3L));
    run(new DropFilter(Optional.of("third"), Optional.of("fifth")), file(Long.MAX_VALUE, 0));
    assertThat(CommentedPacket.read(drops)).isEmpty();
  }

  @Test
  void shouldEndWithTheFile() throws Exception {
    run(DropFilter.ALL, file(100, 32));

    assertThat(CommentedPacket.read(drops))
        .hasSize(100)
        .allMatch(packet -> packet.bytes().length == 32 && packet.lengthBytes() == 64);
  }

  @Test
  void shouldNotCaptureWhatIsNeededNoLonger() throws Exception {
    Graph graph =
        Graph.of(g -> g.chain(g.add("in", new FromPort("in")), g.add("end", new Discard())));
    CaptureTap file = file(Long.MAX_VALUE, 0);
    try (file;
        Engine engine = new Engine()) {
      engine.port("in", source);
      GraphRunner.install(graph, engine);
      try (DropCapture _ = DropCapture.start(engine, DropFilter.ALL, file)) {
        engine.run();
      }
    }
    assertThat(CommentedPacket.read(drops)).isEmpty();
  }

  /** Bursts that forget, drop all, drop a range, and throw. */
  @Test
  void shouldCaptureWhatHandlersWithoutAGraphDrop() throws Exception {
    CaptureTap file = file(Long.MAX_VALUE, 0);
    RunSummary summary;
    try (file;
        Engine engine = new Engine(EngineConfig.DEFAULT.withRxBurst(32))) {
      var in = engine.port("in", source);
      var out = engine.worker().output(engine.port("out", "ring:full,size=16"));
      int[] turn = {0};
      engine
          .worker()
          .input(
              in,
              burst -> {
                switch (turn[0]++ % 5) {
                  case 0 -> burst.dropAll(THIRD);
                  case 1 -> burst.drop(1, 4, FIFTH);
                  case 2 -> burst.packet(2).u8(9_999);
                  case 3 -> out.sendAll(burst);
                  default -> burst.packet(3).drop(THIRD);
                }
              });
      try (DropCapture _ = DropCapture.start(engine, DropFilter.ALL, file)) {
        summary = engine.run();
      }
    }
    Map<String, Long> byReason =
        CommentedPacket.read(drops).stream()
            .collect(
                Collectors.groupingBy(
                    packet -> packet.comment().replaceAll("reason=(\\w+),.*", "$1"),
                    Collectors.counting()));
    assertThat(byReason).isEqualTo(summary.packets().dropped());
    assertThat(byReason)
        .containsOnlyKeys("third", "fifth", "forgotten", "handler_error", "tx_full");
    assertThat(byComment(CommentedPacket.read(drops)))
        .containsKeys("reason=forgotten, worker=0", "reason=tx_full, port=out, worker=0");
  }

  @Test
  void shouldRefuseAFormatWithoutComments() {
    drops = folder.resolve("drops.pcap");
    CaptureTap file = file(1, 0);
    try (file;
        Engine engine = new Engine()) {
      assertThatThrownBy(() -> DropCapture.start(engine, DropFilter.ALL, file))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining("file cannot say why packets are dropped")
          .hasMessageContaining("does not end in .pcap");
    }
  }

  @Test
  void shouldAllocateNothingPerPacketOnTheWorker() {
    AllocationMeter meter = new AllocationMeter(100_000);
    drops = Path.of("/dev/null");
    CaptureTap file = file(Long.MAX_VALUE, 64);
    RunSummary summary;
    try (file;
        Engine engine = new Engine(EngineConfig.DEFAULT.withIdle(Idle.YIELD))) {
      var in = engine.port("in", source + ",loop=forever");
      engine
          .worker()
          .input(
              in,
              burst -> {
                int count = burst.live();
                burst.dropAll(THIRD);
                meter.add(count);
                if (meter.isDone()) {
                  engine.stop();
                }
              });
      try (DropCapture _ = DropCapture.start(engine, DropFilter.ALL, file)) {
        summary = engine.run();
      }
    }
    assertThat(file.packets()).isPositive();
    assertThat(summary.failures()).isEmpty();
    meter.assertQuiet();
  }
}
