package io.linerate.core.time;

import java.util.function.LongSupplier;

/**
 * Reads another clock once a second and is carried on by a ticker between: reading the machine's
 * makes an object, wherever the compiler does not do away with it. Jumps only when the other is
 * set, not by the time that lies between the readings of two clocks.
 */
final class CarriedClock implements EpochClock {
  private static final long CHECK_NS = 1_000_000_000L;
  private static final long TOLERANCE_NS = 20_000;
  private static final int MAX_READINGS = 10;

  private final EpochClock clock;
  private final LongSupplier ticker;
  private volatile Reading last;

  /** What both said at once. */
  private record Reading(long epochNs, long ticks) {}

  /**
   * @param ticker counts ns since anything, as {@link System#nanoTime} does
   */
  CarriedClock(EpochClock clock, LongSupplier ticker) {
    this.clock = clock;
    this.ticker = ticker;
    last = read();
  }

  @Override
  public long epochNs() {
    Reading from = last;
    long ns = ticker.getAsLong() - from.ticks;
    return ns < CHECK_NS ? from.epochNs + ns : check(from);
  }

  private long check(Reading from) {
    Reading read = read();
    long expectedNs = from.epochNs + (read.ticks - from.ticks);
    boolean isSet = Math.abs(read.epochNs - expectedNs) > TOLERANCE_NS;
    last = isSet ? read : new Reading(expectedNs, read.ticks);
    return last.epochNs;
  }

  /** Again, where the thread was held up in between. */
  private Reading read() {
    long leastNs = Long.MAX_VALUE;
    long epochNs = 0;
    long ticks = 0;
    for (int i = 0; i < MAX_READINGS && leastNs > TOLERANCE_NS; i++) {
      long before = ticker.getAsLong();
      long readNs = clock.epochNs();
      long tookNs = ticker.getAsLong() - before;
      if (tookNs < leastNs) {
        leastNs = tookNs;
        epochNs = readNs;
        ticks = before + tookNs / 2;
      }
    }
    return new Reading(epochNs, ticks);
  }
}
