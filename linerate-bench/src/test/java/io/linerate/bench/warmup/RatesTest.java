package io.linerate.bench.warmup;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RatesTest {
  @Test
  void shouldReadWhatAProgramSays() {
    assertThat(
            RatePoint.Statement.parse(
                "linerate: 1.2 s: 1,234 received, 0 sent, 1,200 dropped, 34 in flight, 56.8 Mpps"))
        .contains(new RatePoint.Statement(1.2, 56.8));
    assertThat(RatePoint.Statement.parse("linerate: 1.2 s: 0 in flight, 250 kpps"))
        .contains(new RatePoint.Statement(1.2, 0.25));
    assertThat(RatePoint.Statement.parse("linerate: warning: virtual device")).isEmpty();
  }

  @Test
  void shouldTellWhenTheRateWasSteady() {
    Rates rates = rates(1, 2, 99, 10, 60, 96, 97, 100, 101, 100, 99, 100);
    assertThat(rates.steadyMpps()).isEqualTo(100);
    assertThat(rates.warmMs()).isEqualTo(600);
    assertThat(rates.dips()).isEmpty();
  }

  @Test
  void shouldTellHowLongTheFirstMillionTook() {
    assertThat(rates(2, 4, 8, 100, 100).firstMillionMs())
        .isEqualTo(90 + 100 + 1_000 * (1 - 0.18 - 0.4) / 8);
    assertThat(rates(100, 100, 100, 100).firstMillionMs()).isEqualTo(10);
    assertThat(rates(1, 1, 1, 1).firstMillionMs()).isEqualTo(390);
  }

  @Test
  void shouldTellDipsByWhatHappenedInThem() {
    double[] mpps = IntStream.range(0, 40).mapToDouble(i -> i % 10 == 9 ? 50 : 100).toArray();
    Rates rates = rates(mpps);
    JvmLog log =
        JvmLog.of(
            List.of(
                "[960ms][deoptimization] Deoptimizing a frame",
                "[1950ms][gc             ] GC(0) Pause Young (Normal) 1M->1M(8M) 1.0ms",
                "[2950ms][gc             ] Using Serial"));
    assertThat(Dips.of(rates, log)).isEqualTo(new Dips(1, 1, 0, 2));
    assertThat(JvmLog.after(log.deoptimisationsMs(), 961)).isZero();
  }

  @Test
  void shouldTellAWorkerThatHadToWait() {
    Rates rates =
        new Rates(
            IntStream.range(0, 20)
                .mapToObj(i -> new RatePoint(100 * (i + 1), i == 15 ? 40 : 100, i == 15 ? 60 : 0))
                .toList(),
            10);
    assertThat(Dips.of(rates, JvmLog.of(List.of()))).isEqualTo(new Dips(0, 0, 1, 0));
  }

  private static Rates rates(double... mpps) {
    return new Rates(
        IntStream.range(0, mpps.length)
            .mapToObj(i -> new RatePoint(100 * (i + 1), mpps[i], 0))
            .toList(),
        10);
  }
}
