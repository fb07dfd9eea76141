package io.linerate.graph.element;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.linerate.core.config.ConfigException;
import io.linerate.core.time.TokenBucket;
import io.linerate.testkit.graph.ElementHarness;
import org.junit.jupiter.api.Test;

class RateLimitTest {
  private static final long SECOND_NS = 1_000_000_000;

  private static int passing(ElementHarness harness, int packets, int bytes) {
    for (int i = 0; i < packets; i++) {
      harness.push(new byte[bytes]);
    }
    return harness.out("out").size();
  }

  @Test
  void shouldPassABurstAndThenTheRate() {
    try (var harness = new ElementHarness(RateLimit.packets(100, 5)).disconnect("over")) {
      assertThat(passing(harness, 20, 60)).isEqualTo(5);
      assertThat(passing(harness, 20, 60)).isZero();
      harness.advance(SECOND_NS / 100 - 1);
      assertThat(passing(harness, 1, 60)).isZero();
      harness.advance(1);
      assertThat(passing(harness, 20, 60)).isEqualTo(1);
      harness.advance(3 * SECOND_NS / 100);
      assertThat(passing(harness, 20, 60)).isEqualTo(3);
      harness.advance(3_600 * SECOND_NS);
      assertThat(passing(harness, 20, 60)).isEqualTo(5);
      assertThat(harness.drops()).containsExactly(entry("over_rate", 101L - 14));
    }
  }

  @Test
  void shouldCountBitsOfFrames() {
    try (var harness = new ElementHarness(RateLimit.bits(8_000_000, 8_000))) {
      assertThat(passing(harness, 20, 100)).isEqualTo(10);
      harness.advance(SECOND_NS / 10_000); // 800 bits.
      assertThat(passing(harness, 5, 100)).isEqualTo(1);
      assertThat(passing(harness, 1, 1_001)).isZero();
      assertThat(passing(harness, 1, 0)).isEqualTo(1);
      assertThat(harness.out("over")).hasSize(15);
    }
  }

  /** More than a bucket holds, which is owed then: the rate is kept all the same. */
  @Test
  void shouldHaveABucketOweWhatItDoesNotHold() {
    TokenBucket bucket = new TokenBucket(100, 10);
    bucket.fill(0);
    assertThat(bucket.takeOrOwe(30)).isTrue();
    bucket.fill(SECOND_NS / 4);
    assertThat(bucket.takeOrOwe(30)).as("5 tokens").isFalse();
    bucket.fill(3 * SECOND_NS / 10 - 1);
    assertThat(bucket.takeOrOwe(30)).isFalse();
    bucket.fill(3 * SECOND_NS / 10);
    assertThat(bucket.takeOrOwe(30)).isTrue();
    bucket.fill(SECOND_NS / 2);
    assertThat(bucket.take(1)).as("20 were owed").isFalse();
    bucket.fill(51 * SECOND_NS / 100);
    assertThat(bucket.take(1)).isTrue();
  }

  /** The longest pause, the highest rate and the largest burst at once. */
  @Test
  void shouldNotOverflow() {
    var limit = RateLimit.bits(TokenBucket.MAX_RATE, TokenBucket.MAX_BURST);
    try (var harness = new ElementHarness(limit)) {
      for (long pauseNs = 1; pauseNs < Long.MAX_VALUE / 8; pauseNs *= 8) {
        assertThat(passing(harness, 3, 9_000)).isEqualTo(3);
        harness.advance(pauseNs);
      }
    }
  }

  @Test
  void shouldTakeAnotherRate() {
    try (var harness = new ElementHarness(RateLimit.packets(1, 1))) {
      assertThat(passing(harness, 2, 1)).isEqualTo(1);
      harness.write("rate", "1000");
      assertThat(harness.read("rate")).isEqualTo("1000");
      harness.advance(SECOND_NS / 1_000);
      assertThat(passing(harness, 2, 1)).isEqualTo(1);
      assertThatThrownBy(() -> harness.write("rate", "0"))
          .isInstanceOf(ConfigException.class)
          .hasMessage("number out of range: perSecond=0; write 1 to 1000000000000");
    }
  }

  @Test
  void shouldRefuseRatesThatCannotBe() {
    assertThat(RateLimit.packets(0, 0).problems()).hasSize(2);
    assertThat(RateLimit.bits(1, Long.MAX_VALUE).problems()).hasSize(1);
  }
}
