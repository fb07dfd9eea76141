package io.linerate.driver.ring;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.memory.Packet;
import io.linerate.core.port.DriverPort;
import io.linerate.core.port.PortStatistics;
import io.linerate.core.statistics.PacketCounts;
import io.linerate.core.worker.Engine;
import io.linerate.core.worker.Output;
import io.linerate.testkit.Frames;
import io.linerate.testkit.PacketSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Faults on purpose: as often as asked for, the same for the same seed, and every one counted. */
final class FaultPortTest {
  private static final int PACKETS = 5_000;
  private static final int LENGTH = 3_000; // More than a buffer holds: packets of two segments.

  /** What came through, and what the port counted. */
  private record Run(List<byte[]> received, PortStatistics counted) {
    long fault(String name) {
      return counted.extended().get("fault_" + name);
    }
  }

  /** Sends numbered frames over a wire, whose far end has the faults. */
  private static Run run(String faults) {
    EngineConfig config = EngineConfig.DEFAULT.withTxRetryUs(1_000_000);
    try (Engine engine = new Engine(config)) {
      // Room for all: one thread sends and receives, and could not wait for itself.
      DriverPort near = engine.drivers().open("near", "ring:wire,size=8192");
      DriverPort far = engine.drivers().open("far", "fault:" + faults + "port=ring:wire");
      Output output = engine.worker().output(near);
      PacketSource source =
          new PacketSource(engine.drivers().pools(), Frames.numbered(PACKETS, LENGTH));
      engine.worker().input(source, output::sendAll);
      List<byte[]> received = new ArrayList<>();
      engine
          .worker()
          .input(
              far,
              burst -> {
                for (Packet packet : burst) {
                  received.add(packet.toBytes());
                }
              });
      engine.start();
      long end = System.nanoTime() + 120_000_000_000L;
      while (through(near, far) < PACKETS) {
        assertThat(System.nanoTime()).as("still waiting").isLessThan(end);
        Thread.onSpinWait();
      }
      engine.stop();
      assertThat(engine.awaitEnd(60_000)).isTrue();
      PacketCounts counts = engine.summary().packets();
      assertThat(counts.isConserved()).isTrue();
      PortStatistics counted = far.statistics();
      assertThat(counted.rxPackets()).isEqualTo(received.size());
      assertThat(counted.rxBytes())
          .isEqualTo(received.stream().mapToLong(frame -> frame.length).sum());
      return new Run(received, counted);
    }
  }

  private static long through(DriverPort near, DriverPort far) {
    PortStatistics counted = far.statistics();
    long arrived =
        counted.rxPackets() + counted.missed() - counted.extended().get("fault_duplicate");
    return near.statistics().txPackets() == PACKETS ? arrived : 0;
  }

  @Test
  void shouldCountWhatItDropsAsMissed() {
    Run run = run("drop=0.3,");
    assertThat(run.fault("drop")).isBetween(1_300L, 1_700L).isEqualTo(run.counted.missed());
    assertThat(run.received).hasSize((int) (PACKETS - run.counted.missed()));
    List<byte[]> sent = Frames.numbered(PACKETS, LENGTH);
    assertThat(run.received).allMatch(frame -> Arrays.equals(frame, sent.get(number(frame))));
  }

  @Test
  void shouldDropEveryPacketWhenAsked() {
    Run run = run("drop=1,");
    assertThat(run.received).isEmpty();
    assertThat(run.counted.missed()).isEqualTo(PACKETS);
  }

  @Test
  void shouldDuplicateWithCopies() {
    Run run = run("duplicate=0.2,");
    assertThat(run.fault("duplicate")).isBetween(800L, 1_200L);
    assertThat(run.fault("no_buffer")).isZero();
    assertThat(run.received).hasSize((int) (PACKETS + run.fault("duplicate")));
    List<byte[]> sent = Frames.numbered(PACKETS, LENGTH);
    assertThat(run.received).allMatch(frame -> Arrays.equals(frame, sent.get(number(frame))));
  }

  @Test
  void shouldChangeOneByte() {
    Run run = run("corrupt=0.5,");
    List<byte[]> sent = Frames.numbered(PACKETS, LENGTH);
    long changed = 0;
    for (int i = 0; i < PACKETS; i++) {
      byte[] frame = run.received.get(i);
      int at = Arrays.mismatch(frame, sent.get(i));
      if (at >= 0) {
        changed++;
        assertThat(Arrays.mismatch(frame, at + 1, LENGTH, sent.get(i), at + 1, LENGTH))
            .isEqualTo(-1);
      }
    }
    assertThat(changed).isBetween(2_300L, 2_700L).isEqualTo(run.fault("corrupt"));
  }

  @Test
  void shouldCutOffTheEnd() {
    Run run = run("truncate=0.5,");
    List<byte[]> sent = Frames.numbered(PACKETS, LENGTH);
    long cut = 0;
    for (int i = 0; i < PACKETS; i++) {
      byte[] frame = run.received.get(i);
      assertThat(frame).isEqualTo(Arrays.copyOf(sent.get(i), frame.length));
      cut += frame.length < LENGTH ? 1 : 0;
    }
    assertThat(cut).isBetween(2_300L, 2_700L).isEqualTo(run.fault("truncate"));
  }

  @Test
  void shouldDoTheSameForTheSameSeed() {
    String faults = "drop=0.1,duplicate=0.1,corrupt=0.1,truncate=0.1,";
    Run first = run(faults + "seed=5,");
    Run again = run(faults + "seed=5,");
    Run other = run(faults + "seed=6,");
    assertThat(digest(again)).isEqualTo(digest(first));
    assertThat(digest(other)).isNotEqualTo(digest(first));
  }

  private static int digest(Run run) {
    return Arrays.deepHashCode(run.received.toArray());
  }

  @Test
  void shouldLoseNothingWhenItRefusesNowAndThen() {
    try (Engine engine = new Engine(EngineConfig.DEFAULT.withTxRetryUs(1_000_000))) {
      DriverPort port = engine.drivers().open("fault:refuse=0.2,port=ring:out,size=8192");
      Output output = engine.worker().output(port);
      engine
          .worker()
          .input(
              new PacketSource(engine.drivers().pools(), Frames.numbered(PACKETS, 64)),
              output::sendAll);
      PacketCounts counts = engine.run().packets();
      assertThat(counts.sent()).isEqualTo(PACKETS);
      assertThat(port.statistics().txPackets()).isEqualTo(PACKETS);
      assertThat(port.statistics().extended().get("fault_refuse")).isGreaterThan(500);
    }
  }

  @Test
  void shouldCostEveryPacketAsTxFullWhenItRefusesAlways() {
    try (Engine engine = new Engine()) {
      Output output = engine.worker().output(engine.port("fault:refuse=1,port=ring:out"));
      engine
          .worker()
          .input(
              new PacketSource(engine.drivers().pools(), Frames.numbered(PACKETS, 64)),
              output::sendAll);
      PacketCounts counts = engine.run().packets();
      assertThat(counts.dropped()).isEqualTo(Map.of("tx_full", (long) PACKETS));
    }
  }

  private static int number(byte[] frame) {
    return ((frame[18] & 0xFF) << 24)
        | ((frame[19] & 0xFF) << 16)
        | ((frame[20] & 0xFF) << 8)
        | (frame[21] & 0xFF);
  }
}
