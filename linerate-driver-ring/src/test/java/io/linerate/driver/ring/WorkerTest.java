package io.linerate.driver.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.config.Idle;
import io.linerate.core.driver.FreeBuffer;
import io.linerate.core.memory.DropCounts;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.OwnedBurst;
import io.linerate.core.memory.OwnerThread;
import io.linerate.core.memory.Packet;
import io.linerate.core.port.DriverPort;
import io.linerate.core.statistics.PacketCounts;
import io.linerate.core.time.EpochClock;
import io.linerate.core.worker.CpuAffinity;
import io.linerate.core.worker.Engine;
import io.linerate.core.worker.Output;
import io.linerate.core.worker.Worker;
import io.linerate.testkit.Frames;
import io.linerate.testkit.PacketMaker;
import io.linerate.testkit.PacketSource;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** Workers and their engine, on rings. */
final class WorkerTest {
  private static final DropReason RULE = DropReason.named("rule");

  private static void await(BooleanSupplier isDone) {
    long end = System.nanoTime() + 120_000_000_000L;
    while (!isDone.getAsBoolean()) {
      assertThat(System.nanoTime()).as("still waiting").isLessThan(end);
      Thread.onSpinWait();
    }
  }

  @Test
  void shouldKeepTheConservationLawAtEveryMoment() {
    EngineConfig config = EngineConfig.DEFAULT.withIdle(Idle.YIELD).withTxRetryUs(10);
    try (Engine engine = new Engine(config)) {
      // Nobody receives at the other end: sent, stored and refused packets all occur.
      AtomicLong samples = new AtomicLong();
      Output output = engine.worker().output(engine.port("ring:out,size=64"));
      PacketSource source =
          new PacketSource(engine.drivers().pools(), Frames.numbered(400_000, 64));
      engine
          .worker()
          .input(
              source,
              burst -> {
                // On one CPU as on many, there are samples from the begin to the end.
                while (samples.get() < Frames.number(burst.packet(0)) / 4_000) {
                  Thread.onSpinWait();
                }
                for (Packet packet : burst) {
                  switch ((int) Frames.number(packet) % 5) {
                    case 0 -> packet.drop(RULE);
                    case 1 -> packet.drop(DropReason.MALFORMED);
                    case 2 -> packet.length(); // Forgotten.
                    default -> output.send(packet);
                  }
                }
              });
      engine.start();
      long last = 0;
      while (!engine.awaitEnd(0)) {
        PacketCounts counts = engine.worker().counts();
        if (!counts.isConserved() || counts.received() < last) {
          samples.set(Long.MAX_VALUE);
          throw new AssertionError("not conserved: " + counts + ", before=" + last);
        }
        last = counts.received();
        samples.incrementAndGet();
      }
      assertThat(engine.worker().counts().received()).isEqualTo(400_000);
      assertThat(engine.worker().counts().dropped())
          .containsOnlyKeys("rule", "malformed", "forgotten", "tx_full");
    }
  }

  @Test
  void shouldLetPacketsWaitForTheirQueueInOrderWhenAnOutputIsPatient() {
    EngineConfig config = EngineConfig.DEFAULT.withTxBurst(64).withTxRetryUs(0);
    try (Engine engine = new Engine(config)) {
      DriverPort in = engine.drivers().open("ring:in");
      DriverPort feed = engine.drivers().open("ring:in");
      Output output = engine.worker().output(engine.port("ring:out,size=8")).patient();
      DriverPort far = engine.drivers().open("ring:out,size=8");
      engine.worker().input(in, output::sendAll);
      engine.start();
      feed(engine, feed, 20);
      await(() -> engine.worker().counts().inFlight() == 12);
      OwnedBurst came = new OwnedBurst(32);
      await(() -> far.rxQueue(0).receive(came.array()) >= 0 && came.size() == 20);
      for (int i = 0; i < 20; i++) {
        assertThat(Frames.number(came.packet(i))).isEqualTo(i);
      }
      FreeBuffer home = new FreeBuffer(engine.drivers().pools(), 32);
      came.finish(home);
      home.flush();
      await(() -> engine.worker().counts().inFlight() == 0);
      assertThat(engine.worker().counts().dropped()).isEmpty();
      assertThat(engine.worker().counts().isConserved()).isTrue();
    }
  }

  @Test
  void shouldDropWhatWaitsInAPatientOutputWhenItIsFullOrEnds() {
    EngineConfig config = EngineConfig.DEFAULT.withTxBurst(32).withTxRetryUs(0);
    PacketCounts counts;
    try (Engine engine = new Engine(config)) {
      Output output = engine.worker().output(engine.port("ring:out,size=8")).patient();
      DriverPort far = engine.drivers().open("ring:out,size=8");
      PacketSource source = new PacketSource(engine.drivers().pools(), Frames.numbered(100, 64));
      engine.worker().input(source, output::sendAll);
      counts = engine.run().packets();
      assertThat(far.rxQueues()).isEqualTo(1); // Nobody receives.
    }
    assertThat(counts.sent()).isEqualTo(8);
    assertThat(counts.dropped()).containsExactly(Map.entry("tx_full", 92L));
    assertThat(counts.isConserved()).isTrue();
  }

  @Test
  void shouldTransmitWhatIsStoredWhenNothingMoreComes() {
    EngineConfig config = EngineConfig.DEFAULT.withTxBurst(1_000);
    try (Engine engine = new Engine(config)) {
      DriverPort in = engine.drivers().open("ring:in");
      DriverPort feed = engine.drivers().open("ring:in");
      DriverPort out = engine.drivers().open("ring:out");
      Output output = engine.worker().output(out);
      engine.worker().input(in, output::sendAll);
      engine.start();
      feed(engine, feed, 3);
      await(() -> out.statistics().txPackets() == 3);
      assertThat(engine.awaitEnd(0)).isFalse();
    }
  }

  @Test
  void shouldTransmitWhatIsStoredAfterTheDrainTimeThoughItIsBusy() {
    // One packet for the output, then a source that never rests.
    EngineConfig config = EngineConfig.DEFAULT.withTxBurst(4_096).withDrainUs(500);
    try (Engine engine = new Engine(config)) {
      DriverPort out = engine.drivers().open("ring:out");
      Output output = engine.worker().output(out);
      engine
          .worker()
          .input(
              new PacketSource(engine.drivers().pools(), Frames.numbered(1, 64)), output::sendAll);
      engine
          .worker()
          .input(
              new PacketSource(
                  engine.drivers().pools(), Collections.nCopies(Integer.MAX_VALUE, new byte[60])),
              burst -> burst.dropAll(DropReason.CONSUMED));
      engine.start();
      await(() -> out.statistics().txPackets() == 1);
    }
  }

  @Test
  void shouldDrainWhenItIsStopped() {
    // Stored for ever, but for the stop: a huge burst, a long drain time, a source that never
    // rests.
    EngineConfig config = EngineConfig.DEFAULT.withTxBurst(4_096).withDrainUs(1_000_000);
    try (Engine engine = new Engine(config)) {
      DriverPort out = engine.drivers().open("ring:out,size=8192");
      Output output = engine.worker().output(out);
      engine
          .worker()
          .input(
              new PacketSource(engine.drivers().pools(), Frames.numbered(100, 64)),
              output::sendAll);
      engine
          .worker()
          .input(
              new PacketSource(
                  engine.drivers().pools(), Collections.nCopies(Integer.MAX_VALUE, new byte[60])),
              burst -> burst.dropAll(DropReason.CONSUMED));
      engine.start();
      await(() -> engine.worker().counts().received() > 1_000);
      engine.stop();
      assertThat(engine.awaitEnd(60_000)).isTrue();
      PacketCounts counts = engine.summary().packets();
      assertThat(counts.sent()).isEqualTo(100);
      assertThat(counts.inFlight()).isZero();
      assertThat(counts.isConserved()).isTrue();
      assertThat(out.statistics().txPackets()).isEqualTo(100);
    }
  }

  @Test
  void shouldServeOneQueueWithEachWorker() {
    int workers = 3;
    try (Engine engine = new Engine(EngineConfig.DEFAULT.withWorkers(workers))) {
      DriverPort in = engine.drivers().open("in", "ring:in");
      DriverPort feed = engine.drivers().open("feed", "ring:in");
      DriverPort out = engine.drivers().open("out", "ring:out");
      DriverPort collect = engine.drivers().open("collect", "ring:out");
      Set<String> threads = ConcurrentHashMap.newKeySet();
      for (Worker worker : engine.workers()) {
        Output output = worker.output(out);
        worker.input(
            in,
            burst -> {
              threads.add(Thread.currentThread().getName());
              output.sendAll(burst);
            });
      }
      engine.start();
      PacketMaker maker = new PacketMaker("maker", engine.drivers().pools(), 256);
      for (int queue = 0; queue < workers; queue++) {
        OwnedBurst burst = new OwnedBurst(10 + queue);
        Frames.numbered(10 + queue, 60 + queue)
            .forEach(frame -> maker.append(burst.array(), frame));
        assertThat(feed.txQueue(queue).send(burst.array(), 0)).isEqualTo(10 + queue);
        burst.clear();
      }
      for (int queue = 0; queue < workers; queue++) {
        OwnedBurst burst = new OwnedBurst(64);
        int expected = 10 + queue;
        int number = queue;
        await(() -> {
          collect.rxQueue(number).receive(burst.array());
          return burst.size() == expected;
        });
        for (Packet packet : burst) {
          assertThat(packet.length()).isEqualTo(60 + queue);
        }
        burst.finish(new FreeBuffer(engine.drivers().pools(), 1));
      }
      assertThat(threads).containsExactlyInAnyOrder("worker-0", "worker-1", "worker-2");
      engine.stop();
      assertThat(engine.awaitEnd(60_000)).isTrue();
      assertThat(engine.summary().packets().received()).isEqualTo(33);
      assertThat(engine.summary().packets().sent()).isEqualTo(33);
    }
  }

  @Test
  void shouldRunOnTheCpuThatItIsPinnedTo() {
    int cpu = CpuAffinity.allowed().length() - 1;
    AtomicReference<BitSet> allowed = new AtomicReference<>();
    try (Engine engine = new Engine(EngineConfig.DEFAULT.withCpus(List.of(cpu)))) {
      engine
          .worker()
          .input(
              new PacketSource(engine.drivers().pools(), Frames.numbered(1, 64)),
              burst -> allowed.set(CpuAffinity.allowed()));
      engine.run();
    }
    assertThat(allowed.get().stream()).containsExactly(cpu);
  }

  @Test
  void shouldEndTheRunWhenCpuIsNotThere() {
    try (Engine engine = new Engine(EngineConfig.DEFAULT.withCpus(List.of(1_023)))) {
      engine
          .worker()
          .input(new PacketSource(engine.drivers().pools(), Frames.numbered(1, 64)), burst -> {});
      assertThat(engine.run().failures()).singleElement().asString().contains("cpus={1023}");
    }
  }

  @Test
  void shouldEndWhenTheOtherEndOfItsRingIsClosedAndDrained() {
    try (Engine engine = new Engine()) {
      DriverPort in = engine.drivers().open("ring:in");
      DriverPort feed = engine.drivers().open("ring:in");
      List<Long> numbers = new ArrayList<>();
      engine
          .worker()
          .input(
              in,
              burst -> {
                for (Packet packet : burst) {
                  numbers.add(Frames.number(packet));
                }
              });
      feed(engine, feed, 500);
      feed.close();
      assertThat(engine.run().packets().received()).isEqualTo(500);
      assertThat(numbers).hasSize(500).isSorted();
    }
  }

  @Test
  void shouldRunOnce() {
    try (Engine engine = new Engine()) {
      engine
          .worker()
          .input(new PacketSource(engine.drivers().pools(), Frames.numbered(1, 64)), burst -> {});
      engine.run();
      assertThatThrownBy(engine::start).isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void shouldSayWhichPoolMissesBuffersWhenTheyAreKept() {
    OwnerThread owner = new OwnerThread();
    OwnedBurst kept = new OwnedBurst(1, new DropCounts(), EpochClock.SYSTEM, owner);
    Engine engine = new Engine();
    engine
        .worker()
        .input(
            new PacketSource(engine.drivers().pools(), Frames.numbered(3, 64)),
            burst -> kept.add(burst.packet(1)));
    engine.run();
    assertThatThrownBy(engine::close)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContainingAll("pool=source", "capacity=8192", "available=8191");
  }

  private static void feed(Engine engine, DriverPort port, int count) {
    PacketMaker maker = new PacketMaker("maker", engine.drivers().pools(), 1_024);
    OwnedBurst burst = new OwnedBurst(count);
    Frames.numbered(count, 64).forEach(frame -> maker.append(burst.array(), frame));
    assertThat(port.txQueue(0).send(burst.array(), 0)).isEqualTo(count);
  }
}
