package io.linerate.dashboard.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class AnswerBudgetTest {
  private static final int BYTES = 10_000;

  private final AnswerBudget budget = new AnswerBudget(4L * BYTES);

  @Test
  void shouldCountABodyOnceHoweverManyReadIt() {
    Body body = new Body(new byte[BYTES]);
    for (int i = 0; i < 1_000; i++) {
      assertThat(budget.hold(body, false)).isTrue();
    }
    assertThat(budget.heldBytes()).isEqualTo(BYTES);
    for (int i = 0; i < 1_000; i++) {
      budget.release(body);
    }
    assertThat(budget.heldBytes()).isZero();
  }

  @Test
  void shouldKeepAPartForTheOwner() {
    for (int i = 0; i < 3; i++) {
      assertThat(budget.hold(new Body(new byte[BYTES]), false)).isTrue();
    }
    assertThat(budget.hold(new Body(new byte[BYTES]), false)).isFalse();
    assertThat(budget.hold(new Body(new byte[100]), false)).isTrue();
    assertThat(budget.hold(new Body(new byte[BYTES]), true)).isTrue();
    assertThat(budget.hold(new Body(new byte[BYTES]), true)).isFalse();
    assertThat(budget.heldBytes()).isEqualTo(4L * BYTES);
  }

  @Test
  void shouldMakeTheOwnersAnswerWhileOthersWait() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    Thread other =
        Thread.ofVirtual()
            .start(() ->
                budget.make(
                    () -> {
                      begun.countDown();
                      try {
                        mayEnd.await();
                      } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                      }
                      return new byte[0];
                    },
                    false));
    begun.await();

    assertThat(budget.make(() -> new byte[3], true)).hasSize(3);
    assertThatThrownBy(() -> budget.make(() -> new byte[3], false))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("too much is being asked for");
    mayEnd.countDown();
    other.join();
    assertThat(budget.make(() -> new byte[3], false)).hasSize(3);
  }
}
