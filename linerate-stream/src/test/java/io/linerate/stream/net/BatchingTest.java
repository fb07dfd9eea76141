package io.linerate.stream.net;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BatchingTest {
  private final Batching batching = new Batching();
  private long next;

  private void round(int datagrams) {
    batching.begin();
    for (int i = 0; i < datagrams; i++) {
      batching.sent(next++, 1_000);
    }
  }

  @Test
  void shouldGoOnOnceItIsKnownThatTheyCome() {
    round(10);
    assertThat(batching.mayBe()).isTrue();
    batching.acked(0, 9);
    batching.timedOut(false);
    assertThat(batching.mayBe()).isTrue();
    batching.timedOut(true);
    assertThat(batching.mayBe()).as("nothing comes any more").isFalse();
    batching.acked(20, 20);
    assertThat(batching.mayBe()).isTrue();
  }

  @Test
  void shouldEndWhereOnlyThoseComeThatLeaveAlone() {
    for (int i = 0; i < 3; i++) {
      assertThat(batching.mayBe()).isTrue();
      round(10);
      batching.timedOut(false);
      assertThat(batching.mayBe()).isFalse();
      batching.acked(next, next++);
    }
    assertThat(batching.mayBe()).isFalse();
  }

  @Test
  void shouldEndWhereOthersComeAllTheTime() {
    for (int i = 0; i < 16; i++) {
      assertThat(batching.mayBe()).isTrue();
      round(10);
      batching.acked(next, next++);
    }
    assertThat(batching.mayBe()).isFalse();
  }

  @Test
  void shouldNotTakeWhatLeavesAloneForWhatLeavesTogether() {
    round(1);
    batching.acked(0, 0);
    round(10);
    batching.timedOut(false);
    assertThat(batching.mayBe()).isFalse();
  }
}
