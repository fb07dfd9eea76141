package io.linerate.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.entry;

import io.linerate.core.config.ConfigException;
import io.linerate.core.config.EngineConfig;
import io.linerate.core.config.Idle;
import io.linerate.core.counter.Sample;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.OwnedBurst;
import io.linerate.core.memory.Packet;
import io.linerate.core.port.DriverPort;
import io.linerate.core.statistics.PacketCounts;
import io.linerate.core.statistics.RunSummary;
import io.linerate.core.worker.Engine;
import io.linerate.driver.pcap.CaptureWriter;
import io.linerate.graph.element.Counter;
import io.linerate.graph.element.Discard;
import io.linerate.graph.element.FromPort;
import io.linerate.graph.element.Queue;
import io.linerate.graph.element.Tee;
import io.linerate.testkit.Frames;
import io.linerate.testkit.PacketMaker;
import io.linerate.testkit.Packets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One worker or two, with a queue between: every packet is accounted for. */
class PipelineTest {
  private static final int FRAMES = 5_000;
  private static final int LOOPS = 40;
  private static final long PACKETS = (long) FRAMES * LOOPS;
  private static final EngineConfig TWO = EngineConfig.DEFAULT.withWorkers(2).withIdle(Idle.YIELD);

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
    source = "pcap:rx=" + file + ",loop=" + LOOPS;
  }

  /** Sees that packets come in their order, some of them missing perhaps; can be slow. */
  private record OrderCheck(AtomicLong misplaced, long pauseMs) implements Element {
    @Override
    public Shape shape() {
      return Shape.NONE.input("in");
    }

    @Override
    public void open(Wiring wiring) {
      long[] last = {-1};
      wiring.input(
          "in",
          burst -> {
            for (Packet packet : burst) {
              long number = Frames.number(packet);
              // Numbers begin again with each loop of the file.
              if (number <= last[0] && number > FRAMES / 10 && last[0] < FRAMES * 9 / 10) {
                misplaced.incrementAndGet();
              }
              last[0] = number;
            }
            burst.dropAll(DropReason.CONSUMED);
            if (pauseMs > 0) {
              Thread.sleep(pauseMs);
            }
          });
    }
  }

  private static Graph pipeline(FromPort source, int capacity, OrderCheck check, int emptier) {
    return pipeline(source, new Queue(capacity), check, emptier);
  }

  private static Graph pipeline(FromPort source, Queue queue, OrderCheck check, int emptier) {
    return Graph.of(g -> {
      Node in = g.add("in", source);
      Node end = g.add("end", check);
      g.chain(
          in,
          g.add("before", new Counter()),
          g.add("queue", queue),
          g.add("after", new Counter()),
          end);
      g.on(0, in).on(emptier, end);
    });
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void shouldConserveAndKeepTheOrderOnOneWorkerAndOnTwo(int emptier) {
    AtomicLong misplaced = new AtomicLong();
    try (Engine engine = new Engine(emptier == 0 ? EngineConfig.DEFAULT : TWO)) {
      engine.port("in", source);
      GraphRunner runner =
          GraphRunner.install(
              pipeline(new FromPort("in"), 512, new OrderCheck(misplaced, 0), emptier), engine);
      RunSummary summary = engine.run();
      PacketCounts packets = summary.packets();

      assertThat(summary.failures()).isEmpty();
      assertThat(packets.received()).isEqualTo(PACKETS);
      assertThat(packets.isConserved()).isTrue();
      assertThat(packets.inFlight()).isZero();
      assertThat(packets.handedOver()).isEqualTo(packets.takenOver());
      assertThat(packets.droppedTotal()).isEqualTo(PACKETS);
      assertThat(packets.dropped().keySet()).isSubsetOf("consumed", "queue_full");
      ElementCounts queue = runner.counts("queue");
      assertThat(queue.packetsIn()).isEqualTo(PACKETS);
      assertThat(queue.packetsOut() + queue.droppedTotal()).isEqualTo(PACKETS);
      assertThat(runner.counts("end").packetsIn()).isEqualTo(queue.packetsOut());
      assertThat(queue.held()).isZero();
      assertThat(misplaced).hasValue(0);
      if (emptier == 0) {
        assertThat(queue.packetsOut()).isEqualTo(PACKETS);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "512, 0, YIELD",
    "256, 0, YIELD",
    "512, 2, YIELD",
    "4096, 10, YIELD",
    "512, 0, INTERRUPT",
    "512, 2, INTERRUPT"
  })
  void shouldLoseNothingHoweverSlowTheSecondWorkerIs(int capacity, long pauseMs, Idle idle) {
    AtomicLong misplaced = new AtomicLong();
    long packets = pauseMs == 0 ? 1_000_000 : 10_000;
    String file = source.replace("loop=" + LOOPS, "loop=" + packets / FRAMES);
    try (Engine engine = new Engine(TWO.withIdle(idle))) {
      engine.port("in", file);
      OrderCheck check = new OrderCheck(misplaced, pauseMs);
      GraphRunner runner =
          GraphRunner.install(pipeline(new FromPort("in"), capacity, check, 1), engine);
      RunSummary summary = engine.run();
      assertThat(summary.failures()).isEmpty();
      assertThat(summary.packets().received()).isEqualTo(packets);
      assertThat(summary.packets().dropped()).containsOnly(entry("consumed", packets));
      assertThat(summary.packets().isConserved()).isTrue();
      assertThat(runner.counts("end").packetsIn()).isEqualTo(packets);
      assertThat(misplaced).hasValue(0);
    }
  }

  /** Each packet comes when both workers wait: were one not woken, this would take a minute. */
  @Test
  void shouldWakeTheWorkerThatEmptiesAQueue() {
    AtomicLong misplaced = new AtomicLong();
    try (Engine engine = new Engine(TWO.withIdle(Idle.INTERRUPT))) {
      engine.port("in", "ring:wire");
      DriverPort far = engine.drivers().open("far", "ring:wire");
      OrderCheck check = new OrderCheck(misplaced, 0);
      GraphRunner runner = GraphRunner.install(pipeline(new FromPort("in"), 512, check, 1), engine);
      PacketMaker maker = new PacketMaker("maker", engine.drivers().pools(), 64);
      OwnedBurst burst = new OwnedBurst(new MbufArray(1));
      engine.start();
      for (byte[] frame : Frames.numbered(1_000, 64)) {
        while (!maker.append(burst.array(), frame)) {
          Thread.onSpinWait();
        }
        long before = runner.counts("end").packetsIn();
        assertThat(far.txQueue(0).send(burst.array(), 0)).isEqualTo(1);
        burst.clear();
        while (runner.counts("end").packetsIn() == before) {
          Thread.onSpinWait();
        }
      }
      assertThat(emptyPolls(engine)).isLessThan(100_000); // Spinning, it would be millions.
      engine.stop();
      assertThat(engine.awaitEnd(60_000)).isTrue();
      assertThat(engine.summary().packets().dropped()).containsOnly(entry("consumed", 1_000L));
      assertThat(misplaced).hasValue(0);
    }
  }

  private static long emptyPolls(Engine engine) {
    return engine.samples().stream()
        .filter(sample -> sample.name().equals("linerate_worker_empty_polls_total"))
        .mapToLong(Sample::value)
        .sum();
  }

  @Test
  void shouldLoseNothingThroughQueueAfterQueue() {
    AtomicLong misplaced = new AtomicLong();
    Graph graph =
        Graph.of(g -> {
          Node in = g.add("in", new FromPort("in"));
          Node middle = g.add("middle", new Counter());
          Node end = g.add("end", new OrderCheck(misplaced, 0));
          g.chain(in, g.add("first", new Queue(256)), middle, g.add("second", new Queue(256)), end);
          g.on(0, in).on(1, middle).on(0, end);
        });
    try (Engine engine = new Engine(TWO)) {
      engine.port("in", source);
      GraphRunner.install(graph, engine);
      PacketCounts packets = engine.run().packets();
      assertThat(packets.dropped()).containsOnly(entry("consumed", PACKETS));
      assertThat(misplaced).hasValue(0);
    }
  }

  /** Were they to wait for each other, none would ever go on. */
  @Test
  void shouldDropOnACycleOfQueuesInsteadOfWaiting() {
    Graph graph =
        Graph.of(g -> {
          Node in = g.add("in", new FromPort("in"));
          Node first = g.add("first", new Queue(256));
          Node second = g.add("second", new Queue(256));
          Node there = g.add("there", new Counter());
          Node back = g.add("back", new Tee(1));
          g.chain(in, first, there, second, back);
          g.chain(back.out("copy1"), first);
          g.chain(back.out("out"), g.add("end", new Discard()));
          g.on(0, in).on(1, there).on(0, back);
        });
    try (Engine engine = new Engine(TWO)) {
      engine.port("in", "pcap:rx=" + folder.resolve("in.pcap"));
      GraphRunner.install(graph, engine);
      engine.start();
      while (engine.summary().packets().received() < FRAMES) {
        Thread.onSpinWait();
      }
      engine.stop();
      assertThat(engine.awaitEnd(60_000)).isTrue();
      PacketCounts packets = engine.summary().packets();
      assertThat(packets.dropped()).containsKey("queue_full");
      assertThat(packets.isConserved()).isTrue();
    }
  }

  @Test
  void shouldRefuseAQueueThatIsTooSmallToHoldBackABurst() {
    try (Engine engine = new Engine()) {
      engine.port("in", source);
      OrderCheck check = new OrderCheck(new AtomicLong(), 0);
      assertThatThrownBy(
              () -> GraphRunner.install(pipeline(new FromPort("in"), 255, check, 0), engine))
          .isInstanceOf(ConfigException.class)
          .hasMessage(
              "queue is too small to hold back what feeds it: element=queue, capacity=255, rxburst=64; give it 256 or more, or let it drop: Queue.dropping(255)");
    }
  }

  @Test
  void shouldDropAtTheQueueWhenItsReaderStandsStill() {
    AtomicLong misplaced = new AtomicLong();
    try (Engine engine = new Engine(TWO)) {
      engine.port("in", source);
      GraphRunner runner =
          GraphRunner.install(
              pipeline(new FromPort("in"), Queue.dropping(64), new OrderCheck(misplaced, 20), 1),
              engine);
      PacketCounts packets = engine.run().packets();
      assertThat(packets.isConserved()).isTrue();
      assertThat(runner.counts("queue").dropped()).containsOnlyKeys("queue_full");
      assertThat(runner.counts("before").packetsIn()).isEqualTo(PACKETS);
      assertThat(misplaced).hasValue(0);
    }
  }

  @Test
  void shouldDropAtTheSourceWhereTheGraphSaysSo() {
    AtomicLong misplaced = new AtomicLong();
    try (Engine engine = new Engine(TWO)) {
      engine.port("in", source);
      FromPort watching = new FromPort("in", List.of("queue"));
      GraphRunner runner =
          GraphRunner.install(pipeline(watching, 256, new OrderCheck(misplaced, 20), 1), engine);
      PacketCounts packets = engine.run().packets();
      assertThat(packets.isConserved()).isTrue();
      assertThat(runner.counts("in").dropped()).containsOnlyKeys("back_pressure");
      assertThat(runner.counts("queue").dropped()).isEmpty();
      assertThat(runner.counts("before").packetsIn()).isLessThan(PACKETS);
      assertThat(packets.dropped().get("consumed")).isEqualTo(runner.counts("before").packetsIn());
      assertThat(misplaced).hasValue(0);
    }
  }

  @Test
  void shouldSendWhatIsInTheQueueWhenItIsStopped() {
    try (Engine engine = new Engine(TWO)) {
      engine.port("in", "pcap:rx=" + folder.resolve("in.pcap") + ",loop=forever");
      GraphRunner runner =
          GraphRunner.install(
              pipeline(new FromPort("in"), 4_096, new OrderCheck(new AtomicLong(), 0), 1), engine);
      engine.start();
      while (runner.counts("end").packetsIn() < 10_000) {
        Thread.onSpinWait();
      }
      engine.stop();
      assertThat(engine.awaitEnd(60_000)).isTrue();
      PacketCounts packets = engine.summary().packets();
      assertThat(packets.isConserved()).isTrue();
      assertThat(packets.dropped().keySet()).isSubsetOf("consumed", "queue_full");
      assertThat(packets.handedOver()).isEqualTo(packets.takenOver());
    }
  }

  /** Each of them waiting for the others to end would take a second a queue. */
  @Test
  void shouldEndSoonWhereWorkersFeedEachOther() {
    int queues = 60;
    long startNs;
    try (Engine engine = new Engine(TWO)) {
      engine.port("in", "pcap:rx=" + folder.resolve("in.pcap") + ",loop=forever");
      Graph graph =
          Graph.of(g -> {
            Node before = g.add("in", new FromPort("in"));
            g.on(0, before);
            for (int i = 1; i <= queues; i++) {
              Node queue = g.add("queue" + i, Queue.dropping(128));
              Node counter = g.add("counter" + i, new Counter());
              g.chain(before, queue, counter);
              g.on(i % 2, counter);
              before = counter;
            }
            g.chain(before, g.add("end", new Discard()));
          });
      GraphRunner runner = GraphRunner.install(graph, engine);
      engine.start();
      while (runner.counts("end").packetsIn() < 1_000) {
        Thread.onSpinWait();
      }
      startNs = System.nanoTime();
      engine.stop();
      assertThat(engine.awaitEnd(60_000)).isTrue();
      PacketCounts packets = engine.summary().packets();
      assertThat(packets.isConserved()).isTrue();
      assertThat(packets.dropped().keySet()).isSubsetOf("consumed", "queue_full");
    }
    assertThat(Duration.ofNanos(System.nanoTime() - startNs)).isLessThan(Duration.ofSeconds(10));
  }

  @Test
  void shouldRefuseQueuesThatSeveralWorkersWouldEmpty() {
    Graph graph =
        Graph.of(g -> {
          Node in = g.add("in", new FromPort("in"));
          Node end = g.add("end", new OrderCheck(new AtomicLong(), 0));
          g.chain(in, g.add("queue", new Queue(8)), end);
          g.on(0, in).on(0, end).on(1, end);
        });
    try (Engine engine = new Engine(TWO)) {
      engine.port("in", source);
      GraphException refused =
          catchThrowableOfType(GraphException.class, () -> GraphRunner.install(graph, engine));
      assertThat(refused)
          .hasMessage(
              "queue has several readers (fed on workers [0], emptied on [0, 1]): element=queue; place what is behind it on one worker, or on as many as feed it, or use a HashSwitch and a queue for each");
    }
  }
}
