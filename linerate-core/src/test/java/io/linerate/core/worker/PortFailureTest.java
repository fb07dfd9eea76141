package io.linerate.core.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.memory.DropReason;
import io.linerate.core.port.PortException;
import io.linerate.core.port.RxQueue;
import io.linerate.core.port.TxQueue;
import io.linerate.core.statistics.RunSummary;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Ports that refuse, ports that die: bounded time, every packet counted, every buffer free. */
final class PortFailureTest {
  private static final int PACKETS = 10_000;
  private static final EngineConfig CONFIG = EngineConfig.DEFAULT.withTxRetryUs(500_000);

  /** Forwards packets from a source to a transmit queue until the run ends. */
  private static RunSummary sendTo(TxQueue queue) {
    try (Engine engine = new Engine(CONFIG)) {
      Output output = engine.worker().output(ScriptedPort.sending(queue));
      ScriptedPort source = ScriptedPort.source(engine, PACKETS);
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
      ScriptedPort.Sink inner = new ScriptedPort.Sink(engine.drivers().pools());
      inner.room = 5;
      TxQueue dying =
          (packets, from) -> {
            if (from > 0) {
              throw new PortException("died in the middle");
            }
            return inner.send(packets, from);
          };
      Output output = engine.worker().output(ScriptedPort.sending(dying));
      engine.worker().input(ScriptedPort.source(engine, 32), output::sendAll);
      engine.start();
      assertThat(engine.awaitEnd(60_000)).isTrue();
      RunSummary summary = engine.summary();
      assertThat(summary.packets().sent()).isEqualTo(5);
      assertThat(summary.packets().dropped()).isEqualTo(Map.of("tx_error", 27L));
      assertThat(summary.failures()).containsExactly("died in the middle");
    }
  }

  /** Receives from a queue and, beside it, from a good source. */
  private static RunSummary receiveFrom(Engine engine, RxQueue queue) {
    engine
        .worker()
        .input(ScriptedPort.receiving(queue), burst -> burst.dropAll(DropReason.CONSUMED));
    engine
        .worker()
        .input(ScriptedPort.source(engine, PACKETS), burst -> burst.dropAll(DropReason.CONSUMED));
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
      ScriptedPort.Source good = new ScriptedPort.Source(engine.drivers().pools(), 1);
      RunSummary summary =
          receiveFrom(
              engine,
              burst -> {
                assertThat(good.receive(burst)).isEqualTo(1);
                throw new ArithmeticException("oops");
              });
      assertThat(summary.packets().received()).isEqualTo(PACKETS + 1);
      assertThat(summary.packets().dropped()).containsEntry("forgotten", 1L);
      assertThat(summary.failures()).singleElement().asString().contains("oops", "port=source");
    }
  }
}
