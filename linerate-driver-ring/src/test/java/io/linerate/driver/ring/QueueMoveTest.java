package io.linerate.driver.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.linerate.core.config.ConfigException;
import io.linerate.core.config.EngineConfig;
import io.linerate.core.config.QueueOrder;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.memory.Burst;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.OwnedBurst;
import io.linerate.core.port.DriverPort;
import io.linerate.core.port.Port;
import io.linerate.core.statistics.PacketCounts;
import io.linerate.core.statistics.QueuePlace;
import io.linerate.core.worker.BurstHandler;
import io.linerate.core.worker.Engine;
import io.linerate.core.worker.Output;
import io.linerate.core.worker.Worker;
import io.linerate.testkit.FlowTraffic;
import io.linerate.testkit.Frames;
import io.linerate.testkit.PacketMaker;
import io.linerate.testkit.PacketSource;
import io.linerate.testkit.Soak;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Queues move, workers come and go, packets flow. */
final class QueueMoveTest {
  private static final DropReason RULE = DropReason.named("rule");
  private static final int QUEUES = 4;

  /** Outputs wait for a collector that other programs keep from its CPU. */
  private static EngineConfig config(int workers, int maxWorkers) {
    return EngineConfig.DEFAULT
        .withTxRetryUs(1_000_000)
        .withWorkers(workers)
        .withQueues(QUEUES)
        .withMaxWorkers(maxWorkers);
  }

  private static void await(CompletableFuture<Void> done) throws Exception {
    done.get(120, TimeUnit.SECONDS);
  }

  /** All workers forward from {@code ring:in} to {@code ring:out}. */
  private static FlowTraffic forward(Engine engine, long pauseNs) {
    DriverPort in = engine.drivers().open("in", "ring:in,size=1024");
    DriverPort feed = engine.drivers().open("feed", "ring:in");
    DriverPort out = engine.drivers().open("out", "ring:out,size=1024");
    DriverPort collect = engine.drivers().open("collect", "ring:out");
    engine.eachWorker(worker -> worker.input(in, worker.output(out)::sendAll));
    return new FlowTraffic(engine, feed, collect, QUEUES, pauseNs);
  }

  private static void requireNothingLost(Engine engine) {
    engine.stop();
    assertThat(engine.awaitEnd(60_000)).isTrue();
    PacketCounts counts = engine.summary().packets();
    assertThat(engine.summary().failures()).isEmpty();
    assertThat(counts.isConserved()).isTrue();
    assertThat(counts.sent()).isEqualTo(counts.received()).isPositive();
  }

  @Test
  @Tag("sampled")
  void shouldMoveQueuesManyTimesWithoutLossOrDisorder() throws Exception {
    try (Engine engine = new Engine(config(3, 0));
        FlowTraffic traffic = forward(engine, 10_000)) {
      engine.start();
      traffic.start();
      Random random = new Random(Soak.seed(4));
      int moves = Soak.times(1_000, 500_000);
      for (int i = 0; i < moves; i++) {
        Worker target = engine.workers().get(random.nextInt(3));
        int queue = random.nextInt(QUEUES);
        CompletableFuture<Void> done = engine.move("in", queue, target);
        if (random.nextInt(4) > 0) { // Otherwise, further moves are ordered meanwhile.
          await(done);
          assertThat(engine.queues().get(queue).worker()).isEqualTo(target.id());
        }
        traffic.collected();
      }
      traffic.finish();
      requireNothingLost(engine);
    }
  }

  @Test
  @Tag("sampled")
  void shouldAddAndRetireWorkersUnderLoad() throws Exception {
    try (Engine engine = new Engine(config(1, 3));
        FlowTraffic traffic = forward(engine, 10_000)) {
      engine.start();
      traffic.start();
      int turns = Soak.times(40, 4_000);
      for (int i = 0; i < turns; i++) {
        Worker added = engine.addWorker();
        await(engine.spread());
        assertThat(engine.queues()).filteredOn(place -> place.worker() == added.id()).isNotEmpty();
        long before = added.counts().received();
        long end = System.nanoTime() + 120_000_000_000L;
        while (added.counts().received() == before && System.nanoTime() < end) {
          Thread.sleep(1);
        }
        assertThat(added.counts().received()).isGreaterThan(before);
        // Sometimes the oldest goes, whose transmit queue the next one takes over.
        await(engine.retire(i % 2 == 0 ? added : engine.workers().getFirst()));
        traffic.collected();
      }
      assertThat(engine.workers()).hasSize(1);
      traffic.finish();
      requireNothingLost(engine);
    }
  }

  @Test
  void shouldMoveQueuesFromABusyWorkerByItself() throws Exception {
    EngineConfig balanced =
        EngineConfig.DEFAULT.withWorkers(2).withQueues(QUEUES).withBalanced(true);
    try (Engine engine = new Engine(balanced)) {
      // Queues 0 and 2 start at worker 0: both bring packets without end, at a cost.
      DriverPort port = new EndlessQueues(engine, QUEUES, 0, 2);
      engine.eachWorker(worker -> worker.input(port, QueueMoveTest::takeTime));
      engine.start();
      long end = System.nanoTime() + 120_000_000_000L;
      while (isTogether(engine.queues()) && System.nanoTime() < end) {
        Thread.sleep(10);
      }
      List<QueuePlace> places = engine.queues();
      assertThat(isTogether(places)).as("%s", places).isFalse();
      engine.stop();
      assertThat(engine.awaitEnd(60_000)).isTrue();
      assertThat(engine.summary().packets().isConserved()).isTrue();
    }
  }

  private static boolean isTogether(List<QueuePlace> places) {
    return places.get(0).worker() == places.get(2).worker();
  }

  private static void takeTime(Burst burst) {
    long end = System.nanoTime() + 20_000;
    while (System.nanoTime() < end) {
      Thread.onSpinWait();
    }
    burst.dropAll(DropReason.CONSUMED);
  }

  @Test
  void shouldTellHandlersThatQueuesLeaveAndArrive() throws Exception {
    List<String> events = Collections.synchronizedList(new ArrayList<>());
    try (Engine engine = new Engine(config(2, 0))) {
      DriverPort in = engine.drivers().open("in", "ring:in");
      engine.eachWorker(worker -> worker.input(in, new Listener(worker.id(), events)));
      engine.start();
      await(engine.move("in", 2, engine.workers().get(1)));
      await(engine.move("in", 2, engine.workers().get(1)));
      await(engine.move("in", 2, engine.workers().get(0)));
      assertThat(events).containsExactly("0 leaves 2", "1 gets 2", "1 leaves 2", "0 gets 2");
      engine.stop();
      engine.awaitEnd(60_000);
      assertThatThrownBy(() -> engine.move("in", 2, engine.workers().get(1)))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("stopped");
    }
  }

  /** Fails each time, which costs nothing but a line in the log. */
  private record Listener(int worker, List<String> events) implements BurstHandler {
    @Override
    public void onBurst(Burst burst) {}

    @Override
    public void onQueueLeaving(Port port, int queue) {
      events.add(worker + " leaves " + queue);
      throw new IllegalStateException("wanted by the test");
    }

    @Override
    public void onQueueArrived(Port port, int queue) {
      events.add(worker + " gets " + queue);
      throw new IllegalStateException("wanted by the test");
    }
  }

  @Test
  void shouldSayWhyAQueueOrAWorkerCannotGo() {
    try (Engine engine = new Engine(config(2, 2))) {
      DriverPort in = engine.drivers().open("in", "ring:in");
      DriverPort other = engine.drivers().open("other", "ring:other");
      Worker first = engine.workers().get(0);
      Worker second = engine.workers().get(1);
      first.input(in, burst -> {});
      second.input(other, burst -> {});
      assertThatThrownBy(() -> first.input(in, burst -> {}))
          .isInstanceOf(ConfigException.class)
          .hasMessageContainingAll("worker=0", "port=in");
      assertThatThrownBy(() -> engine.move("in", 0, second))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("start the engine");
      engine.start();
      assertThat(engine.queues())
          .extracting(QueuePlace::worker)
          .containsExactly(0, 0, 0, 0, 1, 1, 1, 1);
      assertThatThrownBy(() -> engine.move("in", 0, second))
          .isInstanceOf(ConfigException.class)
          .hasMessageContainingAll("port=in, queue=0", "worker=1", "handler");
      assertThatThrownBy(() -> engine.move("in", QUEUES, first))
          .isInstanceOf(ConfigException.class)
          .hasMessageContainingAll("queue=4", "port=in, queue=3");
      assertThatThrownBy(() -> engine.retire(second))
          .isInstanceOf(ConfigException.class)
          .hasMessageContainingAll("port=other", "add a worker");
      assertThat(engine.workers()).contains(second);
      assertThatThrownBy(engine::addWorker)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("eachWorker");
      assertThatThrownBy(() -> engine.addWorker(worker -> {}))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining("maxworkers=3");
      assertThatThrownBy(() -> first.input(other, burst -> {}))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("runs already");
    }
  }

  @Test
  void shouldSayThatAQueueEndedBeforeItMoved() throws Exception {
    try (Engine engine = new Engine(config(2, 0))) {
      DriverPort source = new PacketSource(engine.drivers().pools(), Frames.numbered(64, 64));
      DriverPort ever = engine.drivers().open("ever", "ring:ever");
      CompletableFuture<Void> mayGo = new CompletableFuture<>();
      AtomicInteger bursts = new AtomicInteger();
      engine.eachWorker(worker -> {
        worker.input(ever, burst -> {});
        worker.input(
            source,
            burst -> {
              if (bursts.incrementAndGet() == 1) {
                mayGo.get(120, TimeUnit.SECONDS);
              }
            });
      });
      engine.start();
      CompletableFuture<Void> first = engine.move("source", 0, engine.workers().get(1));
      CompletableFuture<Void> second = engine.move("source", 0, engine.workers().get(0));
      mayGo.complete(null);
      // It moves or has ended before, and the second move likewise: nothing hangs.
      for (CompletableFuture<Void> move : List.of(first, second)) {
        try {
          await(move);
        } catch (ExecutionException e) {
          assertThat(e).hasMessageContaining("queue was not moved: port=source, queue=0");
        }
      }
    }
  }

  @Test
  void shouldRunDifferentHandlersOnDifferentWorkers() {
    try (Engine engine = new Engine(EngineConfig.DEFAULT.withWorkers(2))) {
      Output out = engine.workers().get(0).output(engine.port("out", "ring:out,size=2048"));
      engine
          .workers()
          .get(0)
          .input(
              new PacketSource(engine.drivers().pools(), Frames.numbered(1_000, 64)), out::sendAll);
      engine
          .workers()
          .get(1)
          .input(
              new PacketSource(engine.drivers().pools(), Frames.numbered(2_000, 64)),
              burst -> burst.dropAll(RULE));
      PacketCounts counts = engine.run().packets();
      assertThat(counts.sent()).isEqualTo(1_000);
      assertThat(counts.dropped()).containsExactly(Map.entry("rule", 2_000L));
      assertThat(engine.workers().get(1).counts().received()).isEqualTo(2_000);
    }
  }

  @Test
  void shouldPollTheLongestQueueFirst() {
    assertThat(queuesInOrder(QueueOrder.LONGEST)).containsExactly(2, 2, 2, 1, 2, 1, 2, 0);
  }

  @Test
  void shouldStayWithAQueueWhileItBringsFullBursts() {
    assertThat(queuesInOrder(QueueOrder.FLOW)).containsExactly(1, 1, 0, 2, 2, 2, 2, 2);
  }

  @Test
  void shouldPollQueuesInTurnOrAtRandomUntilAllIsReceived() {
    assertThat(queuesInOrder(QueueOrder.ROUND_ROBIN)).containsExactly(0, 1, 2, 1, 2, 2, 2, 2);
    assertThat(queuesInOrder(QueueOrder.RANDOM)).containsExactlyInAnyOrder(0, 1, 1, 2, 2, 2, 2, 2);
  }

  /** Of 10, 64 and 150 packets that wait in three queues, the queue of each burst of 32 at most. */
  private static List<Integer> queuesInOrder(QueueOrder order) {
    List<Integer> queues = new ArrayList<>();
    EngineConfig config = EngineConfig.DEFAULT.withQueues(3).withQueueOrder(order).withRxBurst(32);
    try (Engine engine = new Engine(config)) {
      DriverPort in = engine.drivers().open("in", "ring:in");
      DriverPort feed = engine.drivers().open("feed", "ring:in");
      PacketMaker maker = new PacketMaker("maker", engine.drivers().pools(), 512);
      int[] counts = {10, 64, 150};
      for (int queue = 0; queue < counts.length; queue++) {
        OwnedBurst burst = new OwnedBurst(new MbufArray(counts[queue]));
        for (byte[] frame : Frames.numbered(counts[queue], 60 + queue)) {
          maker.append(burst.array(), frame);
        }
        assertThat(feedQueue(feed, queue, burst)).isEqualTo(counts[queue]);
      }
      feed.close();
      engine.worker().input(in, burst -> queues.add(burst.packet(0).length() - 60));
      assertThat(engine.run().packets().received()).isEqualTo(224);
    }
    return queues;
  }

  private static int feedQueue(DriverPort feed, int queue, OwnedBurst burst) {
    return feed.txQueue(queue).send(burst.array(), 0);
  }
}
