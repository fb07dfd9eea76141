package io.linerate.graph;

import java.util.Arrays;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Tells how the time that a burst takes is shared among the elements that it goes through, while it
 * goes from one to the next and not by a compiled path: each has what it takes itself, without
 * those that it calls. For a worker's thread.
 */
final class ElementTimer {
  private static final int CLOCK_READINGS = 100;

  private final LongSupplier clock;

  /** What a reading of the clock takes, which is in each interval once. */
  private final long readingNs;

  private ElementTime[] timed = new ElementTime[0];
  private int timedCount;
  private boolean isOn;
  private @Nullable ElementTime current;
  private long sinceNs;

  /** What was taken off since it began. */
  private long waitedNs;

  ElementTimer(LongSupplier clock) {
    this.clock = clock;
    long least = Long.MAX_VALUE;
    for (int i = 0; i < CLOCK_READINGS; i++) {
      least = Math.min(least, -clock.getAsLong() + clock.getAsLong());
    }
    readingNs = least;
  }

  /** Whether elements are being timed. */
  boolean isOn() {
    return isOn;
  }

  /** Begins, outside of any element; returns now. */
  long begin() {
    timedCount = 0;
    current = null;
    waitedNs = 0;
    isOn = true;
    sinceNs = clock.getAsLong();
    return sinceNs;
  }

  /**
   * An element is given a burst.
   *
   * @param packets 0: it does something else
   * @return what was at work until now, for {@link #leave}
   */
  @Nullable ElementTime enter(ElementTime element, int packets) {
    ElementTime before = current;
    lap(element);
    if (element.came(packets)) {
      if (timedCount == timed.length) {
        timed = Arrays.copyOf(timed, 2 * timedCount + 8);
      }
      timed[timedCount++] = element;
    }
    return before;
  }

  /** The element has waited for others, or has done their work meanwhile: that is not its own. */
  void waited(long ns) {
    sinceNs += ns;
    waitedNs += ns;
  }

  /** What {@link #waited} has taken off since it began. */
  long waitedNs() {
    return waitedNs;
  }

  /** The element is done. */
  void leave(@Nullable ElementTime before) {
    lap(before);
  }

  private void lap(@Nullable ElementTime next) {
    long now = clock.getAsLong();
    if (current != null) {
      current.took(Math.max(0, now - sinceNs - readingNs));
    }
    current = next;
    sinceNs = now;
  }

  /** Ends; returns now. {@link #count} is to come next. */
  long end() {
    lap(null);
    isOn = false;
    return sinceNs;
  }

  /**
   * Counts what was timed.
   *
   * @param weight bursts that it stands for; 0: it does not count
   * @param scale of the times, beside the weight
   */
  void count(long weight, double scale) {
    for (int i = 0; i < timedCount; i++) {
      timed[i].count(weight, weight * scale);
    }
    timedCount = 0;
  }

  long nowNs() {
    return clock.getAsLong();
  }
}
