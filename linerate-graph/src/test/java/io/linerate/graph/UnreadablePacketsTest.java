package io.linerate.graph;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.config.Idle;
import io.linerate.core.memory.DropReason;
import io.linerate.core.port.DriverPort;
import io.linerate.core.statistics.PacketCounts;
import io.linerate.core.worker.Engine;
import io.linerate.driver.pcap.CaptureWriter;
import io.linerate.graph.element.FromPort;
import io.linerate.graph.element.Queue;
import io.linerate.testkit.Frames;
import io.linerate.testkit.Packets;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Elements that get the virtual machine's answer to a mapped file that became shorter. */
class UnreadablePacketsTest {
  private static final int FRAMES = 2_000;

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

  /** Throws when something comes, once it may begin. */
  private record Reader(CountDownLatch mayBegin, String message) implements Element {
    /** Cannot read what comes. */
    Reader(CountDownLatch mayBegin) {
      this(mayBegin, "a fault occurred in an unsafe memory access operation");
    }

    @Override
    public Shape shape() {
      return Shape.NONE.input("in");
    }

    @Override
    public void open(Wiring wiring) {
      wiring.input(
          "in",
          _ -> {
            mayBegin.await(120, TimeUnit.SECONDS);
            throw new InternalError(message);
          });
    }
  }

  @Test
  void shouldCountForOthersWhatTheyDropAfterwards() {
    Graph graph =
        Graph.of(g ->
            g.chain(
                g.add("in", new FromPort("in")),
                g.add("reader", new Reader(new CountDownLatch(0)))));
    try (Engine engine = new Engine()) {
      engine.port("in", source);
      DriverPort other = engine.drivers().open("other", source);
      GraphRunner runner = GraphRunner.install(graph, engine);
      engine.worker().input(other, burst -> burst.dropAll(DropReason.CONSUMED));
      engine.run();
      PacketCounts packets = engine.summary().packets();
      long unread = runner.counts("reader").packetsIn();
      assertThat(unread).isPositive();
      assertThat(runner.counts("reader").dropped())
          .containsOnlyKeys("handler_error")
          .containsEntry("handler_error", unread);
      assertThat(runner.counts("in").dropped()).isEmpty();
      assertThat(packets.dropped()).containsEntry("consumed", (long) FRAMES);
      assertThat(packets.isConserved()).isTrue();
    }
  }

  @Test
  void shouldGoOnAfterAnErrorOfAnElementsOwn() {
    Graph graph =
        Graph.of(g ->
            g.chain(
                g.add("in", new FromPort("in")),
                g.add("reader", new Reader(new CountDownLatch(0), "of its own"))));
    try (Engine engine = new Engine()) {
      engine.port("in", source);
      GraphRunner runner = GraphRunner.install(graph, engine);
      engine.run();
      assertThat(engine.summary().failures())
          .singleElement()
          .asString()
          .contains("element failed: element=reader", "of its own");
      assertThat(runner.counts("reader").dropped())
          .isEqualTo(Map.of("handler_error", (long) FRAMES));
    }
  }

  @Test
  void shouldKeepInItsQueueWhatWasNotHandedOnWhenSomebodyThrows() throws Exception {
    CountDownLatch mayBegin = new CountDownLatch(1);
    Graph graph =
        Graph.of(g -> {
          Node in = g.add("in", new FromPort("in"));
          Node reader = g.add("reader", new Reader(mayBegin));
          g.chain(in, g.add("queue", new Queue(2 * FRAMES)), reader);
          g.on(0, in).on(1, reader);
        });
    EngineConfig two = EngineConfig.DEFAULT.withWorkers(2).withIdle(Idle.YIELD);
    try (Engine engine = new Engine(two)) { // Its end throws if a buffer is missing.
      engine.port("in", source);
      GraphRunner runner = GraphRunner.install(graph, engine);
      engine.start();
      long end = System.nanoTime() + 120_000_000_000L;
      while (runner.counts("queue").packetsIn() < FRAMES && System.nanoTime() < end) {
        Thread.sleep(1);
      }
      engine.stop();
      mayBegin.countDown();
      assertThat(engine.awaitEnd(60_000)).isTrue();
      PacketCounts packets = engine.summary().packets();
      assertThat(packets.received()).isEqualTo(FRAMES);
      assertThat(packets.droppedTotal()).isEqualTo(FRAMES);
      assertThat(packets.dropped()).containsOnlyKeys("handler_error", "stopped");
      assertThat(packets.handedOver()).isEqualTo(packets.takenOver());
      assertThat(packets.isConserved()).isTrue();
    }
  }
}
