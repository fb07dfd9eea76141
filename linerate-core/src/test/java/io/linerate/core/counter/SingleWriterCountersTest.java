package io.linerate.core.counter;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SingleWriterCountersTest {
  private static final int ADDITIONS = 100_000;

  @Test
  void shouldAddToEachNumberByItself() {
    SingleWriterCounters counters = new SingleWriterCounters(3);
    counters.increment(0);
    counters.add(2, 5);
    SingleWriterCounters sum = new SingleWriterCounters(3);
    sum.addAll(counters);
    sum.addAll(counters);

    assertThat(counters.toList()).containsExactly(1L, 0L, 5L);
    assertThat(sum.toList()).containsExactly(2L, 0L, 10L);
    assertThat(sum.get(2)).isEqualTo(10);
    assertThat(sum.size()).isEqualTo(3);
  }

  @Test
  void shouldNeverGoBackwardsForAReader() throws Exception {
    SingleWriterCounters counters = new SingleWriterCounters(1);
    Thread writer =
        Thread.ofPlatform()
            .start(() -> {
              for (int i = 0; i < ADDITIONS; i++) {
                counters.increment(0);
              }
            });
    long last = 0;
    while (last < ADDITIONS) {
      long now = counters.get(0);
      assertThat(now).isBetween(last, (long) ADDITIONS);
      last = now;
    }
    writer.join();
  }
}
