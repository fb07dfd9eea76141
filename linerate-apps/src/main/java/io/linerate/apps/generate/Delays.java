package io.linerate.apps.generate;

import org.HdrHistogram.Histogram;

/**
 * How long packets were under way, in ns. The thread that records and the one that reads share a
 * lock, which the reader holds only to exchange two histograms: what was recorded since the last
 * exchange is then its own.
 */
final class Delays {
  /** The longest delay that is told from longer ones. */
  static final long MAX_NS = 60_000_000_000L;

  private static final int DIGITS = 3;

  private Histogram current = histogram();
  private Histogram other = histogram();

  /** An empty histogram of delays. */
  static Histogram histogram() {
    return new Histogram(MAX_NS, DIGITS);
  }

  void record(long ns) {
    current.recordValue(Math.clamp(ns, 0, MAX_NS));
  }

  /** What was recorded since the last call. Until the next it is the caller's, who empties it. */
  Histogram exchange() {
    Histogram recorded = current;
    current = other;
    other = recorded;
    return recorded;
  }
}
