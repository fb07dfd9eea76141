package io.linerate.dashboard.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SharedAnswerTest {
  private final AtomicLong nowNs = new AtomicLong();
  private final AtomicInteger made = new AtomicInteger();
  private final SharedAnswer answer =
      new SharedAnswer(() -> new byte[made.incrementAndGet()], nowNs::get);

  @Test
  void shouldBeMadeOnceASecondHoweverManyAsk() {
    Body first = answer.get();
    for (int i = 0; i < 999; i++) {
      nowNs.addAndGet(1_000_000);
      assertThat(answer.get()).isSameAs(first);
    }
    nowNs.addAndGet(1_000_000);
    assertThat(answer.get().bytes).hasSize(2);
  }

  @Test
  void shouldBeMadeAgainWhenSomethingHasChanged() {
    answer.get();
    answer.stale();
    assertThat(answer.get().bytes).hasSize(2);
    assertThat(answer.anew().bytes).hasSize(3);
    assertThat(answer.get().bytes).hasSize(3);
  }
}
