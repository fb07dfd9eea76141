package io.linerate.graph;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.config.Idle;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.Packet;
import io.linerate.core.statistics.RunSummary;
import io.linerate.core.worker.Engine;
import io.linerate.driver.pcap.CaptureWriter;
import io.linerate.graph.element.Classifier;
import io.linerate.graph.element.Counter;
import io.linerate.graph.element.Discard;
import io.linerate.graph.element.FromPort;
import io.linerate.graph.element.Queue;
import io.linerate.testkit.AllocationMeter;
import io.linerate.testkit.Frames;
import io.linerate.testkit.Packets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Graphs allocate nothing per packet: splitting, dropping, storing and copying included. */
class GraphAllocationTest {
  private static final int ROUND_PACKETS = 100_000;
  private static final int FRAMES = 4_096;

  @TempDir Path folder;

  /** Measures where packets end. */
  private record Meter(AllocationMeter meter, Runnable done) implements Element {
    @Override
    public Shape shape() {
      return Shape.NONE.input("in");
    }

    @Override
    public void open(Wiring wiring) {
      wiring.input(
          "in",
          burst -> {
            int count = burst.live();
            burst.dropAll(DropReason.CONSUMED);
            meter.add(count);
            if (meter.isDone()) {
              done.run();
            }
          });
    }
  }

  /** Copies one packet of sixteen. */
  private record Copier() implements Element {
    @Override
    public Shape shape() {
      return Shape.inOut().output("copies");
    }

    @Override
    public void open(Wiring wiring) {
      Outlet out = wiring.output("out");
      Outlet copies = wiring.output("copies");
      wiring.input(
          "in",
          burst -> {
            for (Packet packet : burst) {
              if ((Frames.number(packet) & 15) == 0) {
                copies.copy(packet);
              }
            }
            out.push(burst);
          });
    }
  }

  private String capture() {
    Path file = folder.resolve("in.pcap");
    try (Packets packets = new Packets();
        CaptureWriter writer = CaptureWriter.create(file, 0)) {
      for (byte[] frame : Frames.numbered(FRAMES, 64)) {
        frame[13] = frame[21];
        writer.write(packets.of(frame));
      }
    }
    return "pcap:rx=" + file + ",loop=forever";
  }

  @Test
  void shouldAllocateNothingPerPacket() {
    AllocationMeter meter = new AllocationMeter(ROUND_PACKETS);
    RunSummary summary;
    try (Engine engine = new Engine(EngineConfig.DEFAULT.withIdle(Idle.YIELD))) {
      engine.port("in", capture());
      GraphRunner.install(
          Graph.of(g -> {
            Node kind = g.add("kind", Classifier.of("even 13/00%01", "odd -"));
            Node copier = g.add("copier", new Copier());
            Node queue = g.add("queue", new Queue(1_024));
            Node end = g.add("end", new Meter(meter, engine::stop));
            g.chain(g.add("in", new FromPort("in")), g.add("count", new Counter()), kind);
            g.chain(kind.out("odd"), queue, end);
            g.chain(kind.out("even"), copier, end);
            g.chain(copier.out("copies"), g.add("copies", new Discard()));
          }),
          engine);
      summary = engine.run();
    }
    assertThat(summary.failures()).isEmpty();
    assertThat(summary.packets().isConserved()).isTrue();
    meter.assertQuiet();
  }
}
