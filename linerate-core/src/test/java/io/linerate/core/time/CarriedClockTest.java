package io.linerate.core.time;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;

class CarriedClockTest {
  private static final long SECOND_NS = 1_000_000_000L;

  private long wallNs = 1_700_000_000 * SECOND_NS;
  private long ticks = Long.MAX_VALUE - 5 * SECOND_NS; // Passes the end of its range.
  private long heldUpNs;
  private final CarriedClock clock = new CarriedClock(this::readWall, () -> ticks);

  private long readWall() {
    long read = wallNs;
    pass(heldUpNs);
    heldUpNs = 0;
    return read;
  }

  private void pass(long ns) {
    wallNs += ns;
    ticks += ns;
  }

  @Test
  void shouldGoAsTheOtherClockGoes() {
    for (int i = 0; i < 100; i++) {
      pass(SECOND_NS / 9);
      assertThat(clock.epochNs()).isEqualTo(wallNs);
    }
  }

  @Test
  void shouldFollowWithinOneSecondWhenTheOtherIsSet() {
    wallNs -= 3600 * SECOND_NS;
    pass(SECOND_NS);
    assertThat(clock.epochNs()).isEqualTo(wallNs);
  }

  @Test
  void shouldNotJumpByWhatLiesBetweenTwoReadings() {
    wallNs += 15_000;
    pass(SECOND_NS);
    assertThat(clock.epochNs()).isEqualTo(wallNs - 15_000);
  }

  @Test
  void shouldReadAgainWhenItWasHeldUpBetweenTwoReadings() {
    pass(SECOND_NS);
    heldUpNs = SECOND_NS / 2;
    assertThat(clock.epochNs()).isEqualTo(wallNs);
  }

  @Test
  void shouldTellTheTimeOfTheMachine() {
    Instant before = Instant.now();
    Instant told = Instant.EPOCH.plusNanos(EpochClock.SYSTEM.epochNs());
    Instant after = Instant.now();
    assertThat(told)
        .isBetween(before.minus(1, ChronoUnit.MILLIS), after.plus(1, ChronoUnit.MILLIS));
  }

  @Test
  void shouldMakeNoObjectWhenItIsRead() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    EpochClock.SYSTEM.epochNs();
    long before = threads.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < 1_000_000; i++) {
      EpochClock.SYSTEM.epochNs();
    }
    // Once a second it reads the machine's clock.
    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(1_000_000);
  }
}
