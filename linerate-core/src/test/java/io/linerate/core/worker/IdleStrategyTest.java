package io.linerate.core.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.config.Idle;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

final class IdleStrategyTest {
  private static final int BACKOFF_ROUNDS =
      IdleStrategy.BACKOFF_SPINS + IdleStrategy.BACKOFF_YIELDS;

  /** How long it slept each time. */
  private final List<Long> sleeps = new ArrayList<>();

  private static void idle(IdleStrategy idle, int rounds) {
    for (int i = 0; i < rounds; i++) {
      idle.idle(0);
    }
  }

  @Test
  void shouldLeaveTheCpuToOthersLongerAndLongerAfterBackingOff() {
    IdleStrategy idle = IdleStrategy.of(Idle.BACKOFF, sleeps::add);
    idle(idle, BACKOFF_ROUNDS);
    assertThat(sleeps).isEmpty();
    idle(idle, 10);
    assertThat(sleeps).startsWith(10_000L, 20_000L, 40_000L).endsWith(1_000_000L, 1_000_000L);
  }

  @Test
  void shouldLeaveTheCpuToOthersWhenAsleep() {
    idle(IdleStrategy.of(Idle.SLEEP, sleeps::add), 3);
    assertThat(sleeps).isEqualTo(Collections.nCopies(3, IdleStrategy.SLEEP_NS));
    long start = System.nanoTime();
    idle(IdleStrategy.of(Idle.SLEEP), 100);
    assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(IdleStrategy.SLEEP_NS);
  }

  @Test
  void shouldBackOffFromTheStartAgainAfterWork() {
    IdleStrategy idle = IdleStrategy.of(Idle.BACKOFF, sleeps::add);
    idle(idle, BACKOFF_ROUNDS + 5);
    sleeps.clear();
    idle.idle(1);
    idle(idle, BACKOFF_ROUNDS + 1);
    assertThat(sleeps).containsExactly(IdleStrategy.BACKOFF_MIN_SLEEP_NS);
  }

  @Test
  void shouldWaitForAnInterruptAfterAFewRounds() {
    IdleStrategy idle = IdleStrategy.of(Idle.INTERRUPT, sleeps::add);
    idle(idle, IdleStrategy.INTERRUPT_SPINS);
    assertThat(sleeps).isEmpty();
    idle(idle, 2);
    assertThat(sleeps).containsExactly(IdleStrategy.INTERRUPT_NS, IdleStrategy.INTERRUPT_NS);
    idle.idle(1);
    idle(idle, IdleStrategy.INTERRUPT_SPINS);
    assertThat(sleeps).hasSize(2);
  }

  @Test
  void shouldNeverSleepWhileThereIsWork() {
    for (Idle kind : Idle.values()) {
      IdleStrategy idle = IdleStrategy.of(kind, sleeps::add);
      for (int i = 0; i < 2 * BACKOFF_ROUNDS; i++) {
        idle.idle(1);
      }
    }
    assertThat(sleeps).isEmpty();
  }
}
