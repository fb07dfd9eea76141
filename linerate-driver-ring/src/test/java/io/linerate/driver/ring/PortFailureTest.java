package io.linerate.driver.ring;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.OwnedBurst;
import io.linerate.core.port.DriverPort;
import io.linerate.core.port.PortException;
import io.linerate.core.port.RxQueue;
import io.linerate.core.port.TxQueue;
import io.linerate.core.statistics.RunSummary;
import io.linerate.core.worker.Engine;
import io.linerate.core.worker.Output;
import io.linerate.testkit.Frames;
import io.linerate.testkit.PacketMaker;
import io.linerate.testkit.PacketSource;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Ports that refuse, ports that die: bounded time, every packet counted, every buffer home. */
final class PortFailureTest {
  private static final int PACKETS = 10_000;
  private static final EngineConfig CONFIG = EngineConfig.DEFAULT.withTxRetryUs(500_000);

  /** Forwards packets from a source to a transmit queue until the run ends. */
  private static RunSummary sendTo(TxQueue queue) {
    try (Engine engine = new Engine(CONFIG)) {
      Output output = engine.worker().output(new ScriptedPort(burst -> 0, queue));
      PacketSource source =
          new PacketSource(engine.drivers().pools(), Frames.numbered(PACKETS, 64));
      engine.worker().input(source, output::sendAll);
      engine.start();
      assertThat(engine.awaitEnd(60_000)).as("worker ends").isTrue();
      RunSummary summary = engine.summary();
      assertThat(summary.packets().isConserved()).isTrue();
      assertThat(summary.packets().inFlight()).isZero();
      return summary;
    }
  }

  @Test
  void shouldDropWhatPortRefusesForEver() {
    RunSummary summary = sendTo((burst, from) -> 0);
    assertThat(summary.packets().dropped()).isEqualTo(Map.of("tx_full", (long) PACKETS));
    assertThat(summary.failures()).isEmpty();
    // It waited once for the full queue: 500 ms. Once for each burst would be 156 s.
    assertThat(summary.durationNs()).isLessThan(60_000_000_000L);
  }

  @Test
  void shouldStopAndSayWhyWhenPortDies() {
    RunSummary summary =
        sendTo((burst, from) -> {
          throw new PortException("device is gone: device=x; plug it in");
        });
    assertThat(summary.packets().sent()).isZero();
    assertThat(summary.packets().dropped()).containsOnlyKeys("tx_error");
    assertThat(summary.packets().received()).isLessThan(PACKETS);
    assertThat(summary.failures()).containsExactly("device is gone: device=x; plug it in");
    assertThat(summary.hasFailed()).isTrue();
  }

  @Test
  void shouldNameDriverThatBreaksItsContractWhenSending() {
    RunSummary summary =
        sendTo((burst, from) -> {
          throw new ArithmeticException("oops");
        });
    assertThat(summary.packets().dropped()).containsOnlyKeys("tx_error");
    assertThat(summary.failures()).singleElement().asString().contains("oops");
  }

  @Test
  void shouldFreeOnlyWhatPortDidNotTakeBeforeItDied() {
    // Takes 5 packets of the first burst, dies at the second try.
    try (Engine engine = new Engine(CONFIG)) {
      DriverPort wire = engine.drivers().open("near", "ring:wire");
      DriverPort far = engine.drivers().open("far", "ring:wire");
      TxQueue inner = wire.txQueue(0);
      OwnedBurst part = new OwnedBurst(5);
      TxQueue dying =
          (burst, from) -> {
            if (from > 0) {
              throw new PortException("died in the middle");
            }
            for (int i = 0; i < 5; i++) {
              part.array().append(burst.handle(i));
            }
            int n = inner.send(part.array(), 0);
            part.clear();
            return n;
          };
      Output output = engine.worker().output(new ScriptedPort(burst -> 0, dying));
      PacketSource source = new PacketSource(engine.drivers().pools(), Frames.numbered(32, 64));
      engine.worker().input(source, output::sendAll);
      engine.start();
      assertThat(engine.awaitEnd(60_000)).isTrue();
      RunSummary summary = engine.summary();
      assertThat(summary.packets().sent()).isEqualTo(5);
      assertThat(summary.packets().dropped()).isEqualTo(Map.of("tx_error", 27L));
      assertThat(summary.failures()).containsExactly("died in the middle");
      assertThat(far.statistics().rxPackets()).isZero();
    }
  }

  /** Receives from a queue and, beside it, from a good source. */
  private static RunSummary receiveFrom(Engine engine, RxQueue queue) {
    engine
        .worker()
        .input(
            new ScriptedPort(queue, (burst, from) -> 0),
            burst -> burst.dropAll(DropReason.CONSUMED));
    engine
        .worker()
        .input(
            new PacketSource(engine.drivers().pools(), Frames.numbered(PACKETS, 64)),
            burst -> burst.dropAll(DropReason.CONSUMED));
    engine.start();
    assertThat(engine.awaitEnd(60_000)).as("worker ends").isTrue();
    RunSummary summary = engine.summary();
    assertThat(summary.packets().isConserved()).isTrue();
    return summary;
  }

  @Test
  void shouldGoOnWithOtherInputsWhenOneFails() {
    try (Engine engine = new Engine(CONFIG)) {
      RunSummary summary =
          receiveFrom(
              engine,
              burst -> {
                throw new PortException("file is damaged: file=x, offset=7");
              });
      assertThat(summary.packets().received()).isEqualTo(PACKETS);
      assertThat(summary.packets().dropped()).isEqualTo(Map.of("consumed", (long) PACKETS));
      assertThat(summary.failures()).containsExactly("file is damaged: file=x, offset=7");
    }
  }

  @Test
  void shouldAccountForPacketsOfDriverThatBreaksItsContractWhenReceiving() {
    try (Engine engine = new Engine(CONFIG)) {
      PacketMaker maker = new PacketMaker("maker", engine.drivers().pools(), 64);
      RunSummary summary =
          receiveFrom(
              engine,
              burst -> {
                maker.append(burst, new byte[64]);
                throw new ArithmeticException("oops");
              });
      assertThat(summary.packets().received()).isEqualTo(PACKETS + 1);
      assertThat(summary.packets().dropped()).containsEntry("forgotten", 1L);
      assertThat(summary.failures()).singleElement().asString().contains("oops", "scripted");
    }
  }
}
