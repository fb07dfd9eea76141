package io.linerate.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Which bursts are timed, and what becomes of what they took. The clock is the test's own. */
class BurstTimingTest {
  private static final long MS = 1_000_000;

  private long nowNs = 1_000 * MS;
  private final ElementTimer timer = new ElementTimer(() -> nowNs);
  private final ElementTime first = new ElementTime();
  private final ElementTime second = new ElementTime();

  private void pass(long ns) {
    nowNs += ns;
  }

  /** A burst of packets that the first gives to the second, taking what they take. */
  private void nested(int packets, long firstNs, long secondNs) {
    ElementTime outside = timer.enter(first, packets);
    pass(firstNs / 2);
    ElementTime before = timer.enter(second, packets);
    pass(secondNs);
    timer.leave(before);
    pass(firstNs - firstNs / 2);
    timer.leave(outside);
  }

  @Test
  void shouldGiveEachElementWhatItTakesItself() {
    timer.begin();
    pass(1_000); // Of nobody.
    nested(32, 300, 700);
    nested(16, 30, 70);
    assertThat(timer.isOn()).isTrue();
    timer.end();
    timer.count(10, 1);

    assertThat(timer.isOn()).isFalse();
    assertThat(List.of(first.bursts(), first.packets(), first.ns()))
        .containsExactly(20L, 480L, 3_300L);
    assertThat(List.of(second.bursts(), second.packets(), second.ns()))
        .containsExactly(20L, 480L, 7_700L);
  }

  @Test
  void shouldForgetWhatDoesNotCount() {
    timer.begin();
    nested(32, 300, 700);
    timer.end();
    timer.count(0, 0);
    timer.begin();
    nested(1, 10, 20);
    timer.end();
    timer.count(1, 1);

    assertThat(first.ns()).isEqualTo(10);
    assertThat(second.ns()).isEqualTo(20);
    assertThat(second.packets()).isEqualTo(1);
  }

  /** Bursts of 10 packets; those that are timed element by element take twice as long. */
  private int run(BurstTiming timing, long bursts, long gapNs, boolean isCompiled) {
    int timed = 0;
    for (long i = 0; i < bursts; i++) {
      if (!timing.isDue()) {
        pass(1_000);
      } else if (timing.isWhole(isCompiled)) {
        timed++;
        long start = timer.nowNs();
        pass(1_000);
        timing.timedWhole(start, timer.nowNs());
      } else {
        timed++;
        long start = timer.begin();
        nested(10, 600, 1_400);
        timing.timedSteps(start, timer.end(), true, isCompiled);
      }
      pass(gapNs);
    }
    return timed;
  }

  @Test
  void shouldTimeEachBurstWhereFewComeAndStandForAll() {
    int timed = run(new BurstTiming(timer), 1_000, 10 * MS, true);

    assertThat(timed).isEqualTo(1_000);
    assertThat(first.bursts()).isEqualTo(1_000);
    assertThat(first.packets()).isEqualTo(10_000);
    assertThat(first.ns()).isCloseTo(300_000, within(3_000L));
    assertThat(second.ns()).isCloseTo(700_000, within(7_000L));
  }

  @Test
  void shouldTimeOneBurstIn2MillisecondsWhereManyCome() {
    BurstTiming timing = new BurstTiming(timer);
    int bursts = 2_000_000; // In 4 seconds.
    int timed = run(timing, bursts, 1_000, true);

    assertThat(timed).isBetween(1_000, 3_000);
    assertThat(first.bursts()).isBetween(bursts - 10_000L, (long) bursts);
    assertThat(first.ns()).isCloseTo(300L * bursts, within(6L * bursts));
    assertThat(second.ns()).isCloseTo(700L * bursts, within(14L * bursts));
    timed = run(timing, 10_000, 10 * MS, true); // And fewer again.
    assertThat(timed).isGreaterThan(5_000);
  }

  @Test
  void shouldNotScaleWhereThereIsNoOtherWay() {
    run(new BurstTiming(timer), 1_000, 10 * MS, false);

    assertThat(first.bursts()).isEqualTo(1_000);
    assertThat(first.ns()).isEqualTo(600_000);
    assertThat(second.ns()).isEqualTo(1_400_000);
  }

  @Test
  void shouldBoundWhatAnInterruptionSays() {
    BurstTiming timing = new BurstTiming(timer);
    run(timing, 100, 10 * MS, false);
    long before = first.ns() + second.ns();
    assertThat(timing.isDue()).isTrue();
    assertThat(timing.isWhole(false)).isFalse();
    long start = timer.begin();
    nested(10, 5_000 * MS, 1_400); // Another program had the CPU.
    timing.timedSteps(start, timer.end(), true, false);

    assertThat(first.ns() + second.ns() - before).isCloseTo(32 * 2_000, within(10L));
  }

  /** A round, which is timed when it is due; one without work takes 50 ns. */
  private void round(BurstTiming timing, boolean hasWork) {
    if (!timing.isRoundDue()) {
      pass(hasWork ? 1_000 : 50);
      if (hasWork) {
        timing.worked();
      }
      return;
    }
    long start = timer.begin();
    ElementTime outside = timer.enter(first, 0);
    pass(hasWork ? 1_000 : 50);
    timer.leave(outside);
    timing.timedSteps(start, timer.end(), hasWork, false);
  }

  @Test
  void shouldCountRoundsWithWorkOnly() {
    BurstTiming timing = new BurstTiming(timer);
    int rounds = 2_000_000;
    for (int i = 0; i < rounds; i++) {
      round(timing, i % 100 == 0);
    }
    assertThat(first.ns()).isCloseTo(10L * rounds, within(rounds / 2L));
  }

  @Test
  void shouldTakeOffWhatAnElementWaited() {
    timer.begin();
    ElementTime outside = timer.enter(first, 1);
    pass(5_100);
    timer.waited(5_000);
    timer.leave(outside);
    timer.end();
    timer.count(1, 1);
    assertThat(first.ns()).isEqualTo(100);
    assertThat(timer.waitedNs()).isEqualTo(5_000);
  }

  @Test
  void shouldTakeTheReadingOfTheClockOff() {
    long[] clock = {0};
    ElementTimer slow = new ElementTimer(() -> clock[0] += 25);
    slow.begin();
    ElementTime outside = slow.enter(first, 1);
    clock[0] += 100;
    slow.leave(outside);
    slow.end();
    slow.count(1, 1);
    assertThat(first.ns()).isEqualTo(100);
  }
}
