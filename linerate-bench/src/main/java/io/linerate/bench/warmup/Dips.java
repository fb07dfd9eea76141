package io.linerate.bench.warmup;

import java.util.List;

/**
 * The slow intervals of a warm run, by what happened in them. One with several causes counts for
 * the first.
 *
 * @param byCollector there was a collection
 * @param byDeoptimisation compiled code was given up
 * @param byOthers the worker's thread had to wait for its CPU
 * @param unexplained none of these: the machine below
 */
record Dips(int byCollector, int byDeoptimisation, int byOthers, int unexplained) {
  /** A share of the interval that shows. */
  private static final double WAITED_MS = 5;

  static Dips of(Rates rates, JvmLog log) {
    int[] counts = new int[4];
    for (RatePoint dip : rates.dips()) {
      counts[cause(dip, log)]++;
    }
    return new Dips(counts[0], counts[1], counts[2], counts[3]);
  }

  private static int cause(RatePoint dip, JvmLog log) {
    if (JvmLog.isIn(log.pausesMs(), dip)) {
      return 0;
    }
    if (JvmLog.isIn(log.deoptimisationsMs(), dip)) {
      return 1;
    }
    return dip.waitedMs() > WAITED_MS ? 2 : 3;
  }

  int all() {
    return byCollector + byDeoptimisation + byOthers + unexplained;
  }

  /** The sentence of the report. */
  String sentence(List<RatePoint> intervals) {
    return "Of %,d intervals of 100 ms after warm-up, %d were below 80 %% of the median rate: %d with a collection, %d with a deoptimisation, %d in which the worker had to wait for its CPU, %d in which none of these happened."
        .formatted(intervals.size(), all(), byCollector, byDeoptimisation, byOthers, unexplained);
  }
}
