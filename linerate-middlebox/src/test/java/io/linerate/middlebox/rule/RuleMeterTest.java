package io.linerate.middlebox.rule;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RuleMeterTest {
  private static final long SECOND_NS = 1_000_000_000;

  private static RuleMeter meter(long packets, Duration per, long burst) {
    return new RuleMeter(new RuleLimit(packets, per, burst), 7);
  }

  @ParameterizedTest
  @CsvSource({"100, 1, 1", "1000000, 1, 50", "200000000, 1, 10", "7, 60, 3"})
  void shouldPassAsManyAsIsSaid(long packets, long seconds, long burst) {
    RuleMeter meter = meter(packets, Duration.ofSeconds(seconds), burst);
    long passed = 0;
    long calls = 400_000;
    long stepNs = Math.max(1, seconds * SECOND_NS / packets / 4);
    for (long i = 0; i < calls; i++) {
      passed += meter.allows(7 + i * stepNs) ? 1 : 0;
    }
    double wanted = (double) calls * stepNs * packets / (seconds * SECOND_NS);
    assertThat((double) passed).isBetween(wanted * 0.995, wanted * 1.005 + burst);
  }

  @Test
  void shouldPassABurstAtOnceAndFillUpAgain() {
    RuleMeter meter = meter(10, Duration.ofSeconds(1), 5);
    for (int i = 0; i < 5; i++) {
      assertThat(meter.allows(7)).isTrue();
    }
    assertThat(meter.allows(7)).isFalse();
    assertThat(meter.allows(7 + SECOND_NS / 10)).isTrue();
    assertThat(meter.allows(7 + SECOND_NS / 10)).isFalse();
    for (int i = 0; i < 5; i++) {
      assertThat(meter.allows(7 + 60 * SECOND_NS)).isTrue();
    }
    assertThat(meter.allows(7 + 60 * SECOND_NS)).isFalse();
  }

  @Test
  void shouldNeverPassMoreThanItsBurstAheadOfTime() {
    Random random = new Random(3);
    RuleMeter meter = meter(1_000, Duration.ofSeconds(1), 20);
    long now = 7;
    long passed = 0;
    for (int i = 0; i < 100_000; i++) {
      now += random.nextInt(1_000_000);
      passed += meter.allows(now) ? 1 : 0;
      assertThat(passed).isLessThanOrEqualTo((now - 7) / 1_000_000 + 21);
    }
  }
}
