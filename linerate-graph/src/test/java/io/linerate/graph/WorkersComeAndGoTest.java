package io.linerate.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.linerate.core.config.ConfigException;
import io.linerate.core.config.EngineConfig;
import io.linerate.core.config.Idle;
import io.linerate.core.port.DriverPort;
import io.linerate.core.statistics.PacketCounts;
import io.linerate.core.worker.Engine;
import io.linerate.core.worker.Worker;
import io.linerate.driver.pcap.CaptureWriter;
import io.linerate.graph.element.Counter;
import io.linerate.graph.element.Discard;
import io.linerate.graph.element.FromPort;
import io.linerate.graph.element.Queue;
import io.linerate.graph.element.ToPort;
import io.linerate.testkit.FlowTraffic;
import io.linerate.testkit.Frames;
import io.linerate.testkit.Packets;
import io.linerate.testkit.Soak;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Workers are added to a running graph whose queues they feed, and retired. */
class WorkersComeAndGoTest {
  private static final int QUEUES = 4;
  private static final int TURNS = Soak.times(12, 1_200);

  /** More than there are packets on their way: whatever a queue drops has no way out of it. */
  private static final int CAPACITY = 1 << 14;

  @TempDir Path folder;

  private static EngineConfig config(int maxWorkers) {
    return EngineConfig.DEFAULT
        .withTxRetryUs(1_000_000)
        .withIdle(Idle.YIELD)
        .withWorkers(2)
        .withQueues(QUEUES)
        .withMaxWorkers(maxWorkers);
  }

  /**
   * @param isPlaced whether worker 1 empties the queue for all, or each its own part
   */
  private static Graph forward(boolean isPlaced, boolean isCounted) {
    return Graph.of(g -> {
      Node in = g.add("in", new FromPort("in"));
      Node out = g.add("out", new ToPort("out"));
      Node queue = g.add("queue", new Queue(CAPACITY));
      g.chain(in, queue);
      if (isCounted) {
        g.chain(queue, g.add("counter", new Counter()), out);
      } else {
        g.chain(queue, out);
      }
      if (isPlaced) {
        g.on(1, out);
      }
    });
  }

  private static FlowTraffic traffic(Engine engine) {
    engine.port("in", "ring:in,size=1024");
    DriverPort feed = engine.drivers().open("feed", "ring:in");
    engine.port("out", "ring:out,size=1024");
    DriverPort collect = engine.drivers().open("collect", "ring:out");
    return new FlowTraffic(engine, feed, collect, QUEUES, 20_000);
  }

  private static void await(CompletableFuture<Void> done) throws Exception {
    done.get(120, TimeUnit.SECONDS);
  }

  private static void awaitPackets(Worker worker) throws InterruptedException {
    long end = System.nanoTime() + 120_000_000_000L;
    while (worker.counts().received() == 0 && System.nanoTime() < end) {
      Thread.sleep(1);
    }
    assertThat(worker.counts().received()).isPositive();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @Tag("sampled")
  void shouldLoseAndReorderNothingWhenWorkersComeAndGo(boolean isPlaced) throws Exception {
    try (Engine engine = new Engine(config(4));
        FlowTraffic traffic = traffic(engine)) {
      GraphRunner runner = GraphRunner.install(forward(isPlaced, false), engine);
      engine.start();
      traffic.start();
      for (int turn = 0; turn < TURNS; turn++) {
        Worker added = engine.addWorker();
        await(engine.spread());
        awaitPackets(added);
        traffic.collected();
        // Where nobody is bound to stay, sometimes the oldest goes.
        await(engine.retire(isPlaced || turn % 2 == 0 ? added : engine.workers().getFirst()));
      }
      traffic.finish();
      engine.stop();
      assertThat(engine.awaitEnd(60_000)).isTrue();
      PacketCounts counts = engine.summary().packets();
      assertThat(engine.summary().failures()).isEmpty();
      assertThat(counts.dropped()).isEmpty();
      assertThat(counts.sent()).isEqualTo(counts.received()).isPositive();
      assertThat(counts.handedOver()).isEqualTo(counts.takenOver());
      assertThat(counts.isConserved()).isTrue();
      assertThat(runner.counts("queue").packetsOut()).isLessThanOrEqualTo(counts.received());
    }
  }

  /** Counts how often it is told that it leaves, and that it ends. */
  private record Leaving(AtomicInteger left, AtomicInteger ended) implements Element {
    @Override
    public void open(Wiring wiring) {
      wiring.each("in", _ -> {}, wiring.output("out"));
      wiring.onLeave(left::incrementAndGet);
      wiring.onEnd(ended::incrementAndGet);
    }
  }

  @Test
  void shouldTellElementsOnceThatTheyEndAndNotWhenAQueueMoves() throws Exception {
    AtomicInteger left = new AtomicInteger();
    AtomicInteger ended = new AtomicInteger();
    Graph graph =
        Graph.of(g ->
            g.chain(
                g.add("in", new FromPort("in")),
                g.add("leaving", new Leaving(left, ended)),
                g.add("end", new Discard())));
    try (Engine engine = new Engine(config(3))) {
      engine.port("in", "ring:in,size=1024");
      GraphRunner.install(graph, engine);
      engine.start();
      Worker added = engine.addWorker();
      await(engine.spread());
      assertThat(left).hasPositiveValue();
      assertThat(ended).hasValue(0);
      await(engine.retire(added));
      assertThat(ended).hasValue(1);
      engine.stop();
      assertThat(engine.awaitEnd(60_000)).isTrue();
      assertThat(ended).hasValue(3);
    }
    assertThat(ended).hasValue(3);
  }

  @Test
  void shouldChangeTheGraphAfterAWorkerHasGone() throws Exception {
    try (Engine engine = new Engine(config(3));
        FlowTraffic traffic = traffic(engine)) {
      GraphRunner runner = GraphRunner.install(forward(true, false), engine);
      engine.start();
      traffic.start();
      Worker added = engine.addWorker();
      await(engine.spread());
      awaitPackets(added);
      runner.change(forward(true, true));
      await(engine.retire(added));
      runner.change(forward(true, false));
      traffic.finish();
      engine.stop();
      assertThat(engine.awaitEnd(60_000)).isTrue();
      assertThat(engine.summary().packets().dropped()).isEmpty();
    }
  }

  @Test
  void shouldKeepTheWorkerThatEmptiesWhatOthersFeed() throws Exception {
    try (Engine engine = new Engine(config(2));
        FlowTraffic traffic = traffic(engine)) {
      GraphRunner.install(forward(true, false), engine);
      engine.start();
      traffic.start();
      assertThatThrownBy(() -> engine.retire(engine.workers().get(1)))
          .isInstanceOf(ConfigException.class)
          .hasMessage(
              "worker cannot be retired: worker=1, element=queue: it empties here what other workers feed; change the graph or the workers that need it first");
      await(engine.retire(engine.workers().getFirst()));
      traffic.finish();
    }
  }

  /** It is bound from when the other is wired, not from when it learns of the other's packets. */
  @Test
  void shouldKeepTheWorkerThatIsToEmptyWhatAnAddedOneFeeds() throws Exception {
    try (Engine engine = new Engine(config(3));
        FlowTraffic traffic = traffic(engine)) {
      GraphRunner.install(forward(true, false), engine);
      engine.start();
      traffic.start();
      await(engine.retire(engine.workers().getFirst()));
      Worker last = engine.workers().getFirst();
      CountDownLatch isAdded = new CountDownLatch(1);
      last.submit(() -> awaitZero(isAdded));
      Worker added = engine.addWorker();
      assertThatThrownBy(() -> engine.retire(last))
          .isInstanceOf(ConfigException.class)
          .hasMessageContainingAll("worker cannot be retired", "worker=1", "element=queue");
      isAdded.countDown();
      await(engine.spread());
      awaitPackets(added);
      traffic.finish();
    }
  }

  private static void awaitZero(CountDownLatch latch) {
    try {
      assertThat(latch.await(120, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Engine withCapture(int loops) {
    Path file = folder.resolve("in.pcap");
    try (Packets packets = new Packets();
        CaptureWriter writer = CaptureWriter.create(file, 0)) {
      for (byte[] frame : Frames.numbered(100, 64)) {
        writer.write(packets.of(frame));
      }
    }
    Engine engine = new Engine(config(3));
    engine.port("in", "pcap:rx=" + file + ",loop=" + loops);
    return engine;
  }

  /** A worker's own packets do not keep it from ending, though others feed the same queue. */
  @Test
  void shouldEndWhenAWorkerFeedsItselfAndOthersFeedIt() {
    Graph graph =
        Graph.of(g -> {
          Node end = g.add("end", new Discard());
          g.chain(g.add("in", new FromPort("in")), g.add("queue", new Queue(CAPACITY)), end);
          g.on(1, end);
        });
    try (Engine engine = withCapture(1)) {
      GraphRunner runner = GraphRunner.install(graph, engine);
      engine.start();
      assertThat(engine.awaitEnd(60_000)).isTrue();
      assertThat(runner.counts("end").packetsIn()).isEqualTo(100);
      assertThat(engine.summary().packets().isConserved()).isTrue();
    }
  }

  /** Cannot be on a worker that is added, for a while. */
  private record Choosy(AtomicBoolean isChoosy) implements Element {
    @Override
    public Shape shape() {
      return Shape.inOut();
    }

    @Override
    public void open(Wiring wiring) {
      if (wiring.worker() > 1 && isChoosy.get()) {
        throw new ConfigException("not here: worker=" + wiring.worker());
      }
      Outlet out = wiring.output("out");
      wiring.input("in", out::push);
    }
  }

  @Test
  void shouldGoOnWhenAWorkerCannotBeWired() throws Exception {
    AtomicBoolean isChoosy = new AtomicBoolean(true);
    Graph graph =
        Graph.of(g -> {
          Node end = g.add("end", new Discard());
          g.chain(
              g.add("in", new FromPort("in")),
              g.add("queue", new Queue(CAPACITY)),
              g.add("other", new Queue(CAPACITY)),
              end);
          g.chain(
              g.add("back", new FromPort("back")),
              g.add("choosy", new Choosy(isChoosy)),
              g.add("gone", new Discard()));
          g.on(1, end);
        });
    try (Engine engine = withCapture(2_000)) {
      engine.port("back", "ring:back");
      GraphRunner runner = GraphRunner.install(graph, engine);
      engine.start();
      assertThatThrownBy(engine::addWorker).hasMessage("not here: worker=2");
      runner.change(graph);
      isChoosy.set(false);
      Worker added = engine.addWorker();
      assertThat(added.id()).isEqualTo(2);
      await(engine.spread());
      await(engine.retire(added));
      engine.stop();
      assertThat(engine.awaitEnd(60_000)).isTrue();
      assertThat(engine.summary().packets().isConserved()).isTrue();
    }
  }
}
