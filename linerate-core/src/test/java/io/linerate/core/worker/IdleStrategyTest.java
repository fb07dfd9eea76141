package io.linerate.core.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.config.Idle;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import org.junit.jupiter.api.Test;

final class IdleStrategyTest {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  @Test
  void shouldLeaveTheCpuToOthersAfterBackingOff() {
    assertThat(cpuShareWhileIdle(Idle.BACKOFF)).isLessThan(0.3);
  }

  @Test
  void shouldLeaveTheCpuToOthersWhenAsleep() {
    assertThat(cpuShareWhileIdle(Idle.SLEEP)).isLessThan(0.6);
  }

  @Test
  void shouldBackOffFromTheStartAgainAfterWork() {
    IdleStrategy idle = IdleStrategy.of(Idle.BACKOFF);
    int rounds = IdleStrategy.BACKOFF_SPINS + IdleStrategy.BACKOFF_YIELDS + 10;
    for (int i = 0; i < rounds; i++) {
      idle.idle(0);
    }
    long sleepingNs = shortestOf(5, () -> idle.idle(0));
    idle.idle(1);
    long spinningNs = shortestOf(5, () -> idle.idle(0));
    assertThat(sleepingNs).isGreaterThanOrEqualTo(IdleStrategy.BACKOFF_MIN_SLEEP_NS);
    assertThat(spinningNs).isLessThan(IdleStrategy.BACKOFF_MIN_SLEEP_NS);
  }

  @Test
  void shouldNeverSleepWhileThereIsWork() {
    for (Idle kind : Idle.values()) {
      IdleStrategy idle = IdleStrategy.of(kind);
      assertThat(shortestOf(50, () -> idle.idle(1))).as(kind.key()).isLessThan(10_000);
    }
  }

  private static double cpuShareWhileIdle(Idle kind) {
    IdleStrategy idle = IdleStrategy.of(kind);
    for (int i = 0; i < 1_000; i++) {
      idle.idle(0);
    }
    long cpuNs = THREADS.getCurrentThreadCpuTime();
    long start = System.nanoTime();
    while (System.nanoTime() - start < 300_000_000) {
      idle.idle(0);
    }
    return (double) (THREADS.getCurrentThreadCpuTime() - cpuNs) / (System.nanoTime() - start);
  }

  private static long shortestOf(int times, Runnable work) {
    long shortest = Long.MAX_VALUE;
    for (int i = 0; i < times; i++) {
      long start = System.nanoTime();
      work.run();
      shortest = Math.min(shortest, System.nanoTime() - start);
    }
    return shortest;
  }
}
