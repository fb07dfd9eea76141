package io.linerate.apps.generate;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PacerTest {
  /** Sends as a worker would that looks at the clock each {@code roundNs}. */
  private static long packets(Pacer pacer, double costNs, long untilNs, long roundNs) {
    long sent = 0;
    for (long now = 0; now < untilNs; now += roundNs) {
      if (pacer.isReady(now)) {
        int due = pacer.due(now, costNs, 32);
        pacer.sent(now, costNs, due);
        pacer.burstEnded(now);
        sent += due;
      }
    }
    return sent;
  }

  @ParameterizedTest
  @CsvSource({"1000000", "123456.7", "14880952", "7", "100000", "33333333"})
  void shouldKeepEachRate(double packetsPerSecond) {
    Pacer pacer = new Pacer();
    pacer.start(0);
    long sent = packets(pacer, 1e9 / packetsPerSecond, 1_000_000_000, 100);
    assertThat((double) sent).isBetween(packetsPerSecond - 33, packetsPerSecond + 33);
    assertThat(pacer.latePackets()).isZero();
  }

  @Test
  void shouldChooseTheBurstFromTheRate() {
    Pacer pacer = new Pacer();
    pacer.start(0);
    assertThat(pacer.due(0, 1_000, 32)).as("1 Mpps").isEqualTo(10);
    assertThat(pacer.due(0, 10_000, 32)).as("100 kpps").isEqualTo(1);
    assertThat(pacer.due(0, 1e9, 32)).as("1 pps").isEqualTo(1);
    assertThat(pacer.due(0, 50, 32)).as("20 Mpps").isEqualTo(32);
    assertThat(pacer.due(0, 0, 32)).as("max").isEqualTo(32);
  }

  @Test
  void shouldCatchUpAtTwiceTheRateAndCountWhatWasLate() {
    Pacer pacer = new Pacer();
    pacer.start(0);
    // Off the CPU for 100 ms at 1 Mpps.
    long now = 100_000_000;
    long sent = 0;
    while (pacer.dueNs() < now && now < 1_000_000_000) {
      if (pacer.isReady(now)) {
        int due = pacer.due(now, 1_000, 32);
        pacer.sent(now, 1_000, due);
        pacer.burstEnded(now);
        sent += due;
      }
      now += 500;
    }
    assertThat(now).as("caught up").isBetween(198_000_000L, 206_000_000L);
    assertThat(sent).isBetween(198_000L, 206_000L);
    assertThat(pacer.latePackets()).isGreaterThan(190_000);
    assertThat(pacer.worstLateNs()).isEqualTo(100_000_000);
  }
}
