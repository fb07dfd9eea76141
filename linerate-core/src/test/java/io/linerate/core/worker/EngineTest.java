package io.linerate.core.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.config.Idle;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.memory.BurstOwner;
import io.linerate.core.memory.DropCounts;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.OwnedBurst;
import io.linerate.core.memory.Packet;
import io.linerate.core.statistics.PacketCounts;
import io.linerate.core.time.EpochClock;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.Test;

/** An engine and its threads, on ports that do what the test says. */
final class EngineTest {
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
      ScriptedPort.Sink full = new ScriptedPort.Sink(engine.drivers().pools());
      full.room = 64;
      Output output = engine.worker().output(ScriptedPort.sending(full));
      ScriptedPort source = ScriptedPort.source(engine, 400_000);
      engine
          .worker()
          .input(
              source,
              burst -> {
                // On one CPU as on many, there are samples from the begin to the end.
                while (samples.get() < ScriptedPort.number(burst.packet(0)) / 4_000) {
                  Thread.onSpinWait();
                }
                for (Packet packet : burst) {
                  switch ((int) ScriptedPort.number(packet) % 5) {
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
  void shouldSayThatItIsClosed() {
    Engine engine = new Engine();
    engine.run();
    engine.close();
    List<Runnable> calls =
        List.of(
            () -> engine.port("ring:x"),
            engine::worker,
            () -> engine.eachWorker(worker -> {}),
            engine::addWorker,
            () -> engine.addWorker(worker -> {}),
            engine::start,
            engine::run);
    for (Runnable call : calls) {
      assertThatThrownBy(call::run)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("engine is closed: program=linerate; make another");
    }
  }

  @Test
  void shouldAwaitItsEndForEver() {
    try (Engine engine = new Engine()) {
      engine.worker().input(ScriptedPort.silent(), burst -> {});
      Thread waiting = Thread.currentThread();
      Thread.ofPlatform()
          .daemon()
          .start(() -> {
            await(() -> waiting.getState() == Thread.State.TIMED_WAITING);
            engine.stop();
          });
      engine.start();
      assertThat(engine.awaitEnd(Long.MAX_VALUE)).isTrue();
    }
  }

  @Test
  void shouldDrainWhenItIsStopped() {
    // Stored for ever, but for the stop: a huge burst, a long drain time, a source that never
    // rests.
    EngineConfig config = EngineConfig.DEFAULT.withTxBurst(4_096).withDrainUs(1_000_000);
    try (Engine engine = new Engine(config)) {
      ScriptedPort.Sink sink = new ScriptedPort.Sink(engine.drivers().pools());
      Output output = engine.worker().output(ScriptedPort.sending(sink));
      engine.worker().input(ScriptedPort.source(engine, 100), output::sendAll);
      engine
          .worker()
          .input(
              ScriptedPort.source(engine, Integer.MAX_VALUE),
              burst -> burst.dropAll(DropReason.CONSUMED));
      engine.start();
      await(() -> engine.worker().counts().received() > 1_000);
      engine.stop();
      assertThat(engine.awaitEnd(60_000)).isTrue();
      PacketCounts counts = engine.summary().packets();
      assertThat(counts.sent()).isEqualTo(100);
      assertThat(counts.inFlight()).isZero();
      assertThat(counts.isConserved()).isTrue();
      assertThat(sink.sent).hasSize(100);
    }
  }

  @Test
  void shouldRunOnTheCpuThatItIsPinnedTo() {
    int cpu = CpuAffinity.allowed().length() - 1;
    AtomicReference<BitSet> allowed = new AtomicReference<>();
    try (Engine engine = new Engine(EngineConfig.DEFAULT.withCpus(List.of(cpu)))) {
      engine
          .worker()
          .input(ScriptedPort.source(engine, 1), burst -> allowed.set(CpuAffinity.allowed()));
      engine.run();
    }
    assertThat(allowed.get().stream()).containsExactly(cpu);
  }

  @Test
  void shouldEndTheRunWhenCpuIsNotThere() {
    try (Engine engine = new Engine(EngineConfig.DEFAULT.withCpus(List.of(1_023)))) {
      engine.worker().input(ScriptedPort.source(engine, 1), burst -> {});
      assertThat(engine.run().failures()).singleElement().asString().contains("cpus={1023}");
    }
  }

  @Test
  void shouldRunOnce() {
    try (Engine engine = new Engine()) {
      engine.worker().input(ScriptedPort.source(engine, 1), burst -> {});
      engine.run();
      assertThatThrownBy(engine::start).isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void shouldSayWhichPoolMissesBuffersWhenTheyAreKept() {
    Engine engine = new Engine();
    BurstOwner owner = engine.drivers().resources(engine.worker()).owner();
    OwnedBurst kept = new OwnedBurst(new MbufArray(1), new DropCounts(), EpochClock.SYSTEM, owner);
    engine.worker().input(ScriptedPort.source(engine, 3), burst -> kept.add(burst.packet(1)));
    engine.run();
    assertThatThrownBy(engine::close)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContainingAll("pool=source", "capacity=8192", "available=8191");
  }

  /** What is logged while an engine with nothing to do runs. */
  private static List<String> warnings(EngineConfig config, String... ports) {
    List<String> messages = new CopyOnWriteArrayList<>();
    Logger logger = Logger.getLogger(Engine.class.getName());
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord entry) {
            messages.add(new SimpleFormatter().formatMessage(entry));
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    logger.addHandler(handler);
    try (Engine engine = new Engine(config)) {
      engine.workers().getFirst().output(ScriptedPort.sink(engine));
      new StartWarnings(config, ports.length > 0, List.of(ports), engine.workers()).log();
    } finally {
      logger.removeHandler(handler);
    }
    return messages;
  }

  @Test
  void shouldWarnOfWhatIsHardlyMeant() {
    assertThat(warnings(EngineConfig.DEFAULT.withWorkers(128), "sink", "unused"))
        .satisfiesExactly(
            many -> assertThat(many).contains("more workers than CPUs", "workers=128", "cpus="),
            idle -> assertThat(idle).contains("engine has nothing to do", "program="),
            port -> assertThat(port).contains("no worker uses the port", "port=unused"));
  }

  @Test
  void shouldWarnOfAnEngineWithoutPorts() {
    assertThat(warnings(EngineConfig.DEFAULT.withProgramName("alone")))
        .singleElement()
        .isEqualTo(
            "engine has no ports, no packet comes in or goes out: program=alone; open one before it starts");
  }

  @Test
  void shouldOpenNoPortOnceItRuns() {
    try (Engine engine = new Engine()) {
      engine.worker().input(ScriptedPort.silent(), burst -> {});
      engine.start();
      assertThatThrownBy(() -> engine.port("late", "ring:late"))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage(
              "port comes too late: port=late, address=ring:late, program=linerate; open it before the engine starts");
      assertThatThrownBy(() -> engine.port("ring:late"))
          .hasMessageContaining("port=unnamed, address=ring:late");
    }
  }
}
