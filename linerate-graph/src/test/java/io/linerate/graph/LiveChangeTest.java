package io.linerate.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.config.Idle;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.Packet;
import io.linerate.core.statistics.PacketCounts;
import io.linerate.core.worker.Engine;
import io.linerate.driver.pcap.CaptureWriter;
import io.linerate.graph.element.Classifier;
import io.linerate.graph.element.Counter;
import io.linerate.graph.element.Discard;
import io.linerate.graph.element.FromPort;
import io.linerate.graph.element.Queue;
import io.linerate.testkit.Frames;
import io.linerate.testkit.Packets;
import io.linerate.testkit.Soak;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Graphs change under full load: no packet is lost, duplicated or overtaken. */
class LiveChangeTest {
  private static final int FRAMES = 1 << 12;
  private static final int CHANGES = Soak.times(1_000, 200_000);

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
    source = "pcap:rx=" + file + ",loop=forever";
  }

  /** Sees that the packets come in their order and none is missing or twice. */
  private record Sequence(AtomicLong errors) implements Element {
    @Override
    public Shape shape() {
      return Shape.NONE.input("in");
    }

    @Override
    public void open(Wiring wiring) {
      long[] next = {0};
      wiring.count("sequence", () -> next[0]);
      wiring.input(
          "in",
          burst -> {
            for (Packet packet : burst) {
              if (Frames.number(packet) != (next[0] & (FRAMES - 1))) {
                errors.incrementAndGet();
              }
              next[0]++;
            }
            burst.dropAll(DropReason.CONSUMED);
          });
    }
  }

  /**
   * Another graph for each number: counters come and go, a classifier splits and a queue delays.
   */
  private static Graph variant(int number, AtomicLong errors) {
    return Graph.of(g -> {
      Node in = g.add("in", new FromPort("in"));
      Node kept = g.add("kept", new Counter());
      Node end = g.add("end", new Sequence(errors));
      g.chain(in, kept);
      Node at = kept;
      if ((number & 1) != 0) {
        Node inserted = g.add("inserted", new Counter());
        g.chain(at, inserted);
        at = inserted;
      }
      if ((number & 2) != 0) {
        Node queue = g.add("queue", new Queue(1_024 + number % 3));
        g.chain(at, queue);
        at = queue;
      }
      Node kind =
          g.add(
              "kind",
              (number & 4) == 0
                  ? Classifier.of("all 12/88b5", "none -")
                  : Classifier.of("none 12/0800", "all -"));
      g.chain(at, kind.out("all"), end);
      g.chain(kind.out("none"), g.add("none", new Discard()));
    });
  }

  @Test
  @Tag("sampled")
  void shouldLoseNothingInManyChangesUnderFullLoad() {
    AtomicLong errors = new AtomicLong();
    try (Engine engine = new Engine(EngineConfig.DEFAULT.withIdle(Idle.YIELD))) {
      engine.port("in", source);
      GraphRunner runner = GraphRunner.install(variant(0, errors), engine);
      engine.start();
      long before = 0;
      long beforeAtEnd = 0;
      for (int i = 1; i <= CHANGES; i++) {
        runner.change(variant(i, errors));
        long now = runner.counts("kept").packetsIn();
        assertThat(now).isGreaterThanOrEqualTo(before);
        before = now;
        long nowAtEnd = runner.counts("end").packetsIn(); // What it is behind comes and goes.
        assertThat(nowAtEnd).isGreaterThanOrEqualTo(beforeAtEnd);
        beforeAtEnd = nowAtEnd;
      }
      engine.stop();
      assertThat(engine.awaitEnd(60_000)).isTrue();
      PacketCounts packets = engine.summary().packets();

      assertThat(engine.summary().failures()).isEmpty();
      assertThat(errors).hasValue(0);
      assertThat(packets.isConserved()).isTrue();
      assertThat(packets.dropped()).containsOnlyKeys("consumed");
      assertThat(packets.dropped()).containsEntry("consumed", packets.received());
      // These were in every graph, and kept their state.
      assertThat(runner.counts("kept").packetsIn()).isEqualTo(packets.received());
      assertThat(runner.counts("end").packetsIn()).isEqualTo(packets.received());
      assertThat(runner.counts("end").bytesIn()).isEqualTo(64 * packets.received());
      assertThat(runner.read("end.sequence").sum()).isEqualTo(packets.received());
      assertThat(runner.counts("in").packetsIn()).isEqualTo(packets.received());
    }
  }

  @Test
  void shouldGoOnAsBeforeWhenTheNextGraphIsWrong() {
    AtomicLong errors = new AtomicLong();
    try (Engine engine = new Engine(EngineConfig.DEFAULT.withIdle(Idle.YIELD))) {
      engine.port("in", source);
      engine.port("other", source);
      GraphRunner runner = GraphRunner.install(variant(0, errors), engine);
      engine.start();
      Graph wrong =
          Graph.of(g -> {
            g.chain(g.add("in", new FromPort("other")), g.add("end", new Discard()));
            g.add("lonely", new Counter());
          });
      GraphException refused =
          catchThrowableOfType(GraphException.class, () -> runner.change(wrong));
      assertThat(refused.problems())
          .extracting(GraphProblem::toString)
          .containsExactlyInAnyOrder(
              "input is not connected: element=lonely, port=in; lead an output to it",
              "output is not connected: element=lonely, port=out; lead it to an input, that of a Discard if its packets are not needed",
              "port is received no longer: element=in, port=in; keep an element that receives it",
              "port was not received before: element=in, port=other; start with an element for it");
      assertThat(runner.graph()).isEqualTo(variant(0, errors));
      runner.change(variant(3, errors));
      engine.stop();
      assertThat(engine.awaitEnd(60_000)).isTrue();
      assertThat(errors).hasValue(0);
    }
  }

  @Test
  void shouldKeepElementsThatWerePlacedWhereTheyAre() {
    try (Engine engine = new Engine(EngineConfig.DEFAULT.withWorkers(2))) {
      engine.port("in", source);
      GraphRunner runner = GraphRunner.install(placed(1), engine);
      GraphException refused =
          catchThrowableOfType(GraphException.class, () -> runner.change(placed(0)));
      assertThat(refused.problems()).extracting(GraphProblem::element).contains("queue", "end");
      runner.change(placed(1));
    }
  }

  private static Graph placed(int worker) {
    return Graph.of(g -> {
      Node in = g.add("in", new FromPort("in"));
      Node end = g.add("end", new Discard());
      g.chain(in, g.add("queue", new Queue(256)), end);
      g.on(0, in).on(worker, end);
    });
  }
}
