package io.linerate.stream.net;

/** How long packets take there and back, as RFC 9002, section 5, estimates it. */
final class RoundTrips {
  private static final long FIRST_NS = 100_000_000;

  /** Time-outs are not shorter: timers and schedulers are not more exact. */
  private static final long GRANULARITY_NS = 1_000_000;

  private long smoothedNs = FIRST_NS;
  private long variationNs = FIRST_NS / 2;
  private long leastNs = Long.MAX_VALUE;
  private long latestNs = FIRST_NS;

  /**
   * A packet has come back.
   *
   * @param delayNs how long the other side has waited before it said so
   */
  void add(long roundTripNs, long delayNs) {
    latestNs = Math.max(1, roundTripNs);
    boolean isFirst = leastNs == Long.MAX_VALUE;
    leastNs = Math.min(leastNs, latestNs);
    if (isFirst) {
      smoothedNs = latestNs;
      variationNs = latestNs / 2;
      return;
    }
    // The other side may say anything: no delay makes it shorter than the shortest.
    long adjustedNs = latestNs - delayNs >= leastNs && delayNs > 0 ? latestNs - delayNs : latestNs;
    variationNs += (Math.abs(smoothedNs - adjustedNs) - variationNs) / 4;
    smoothedNs += (adjustedNs - smoothedNs) / 8;
  }

  long smoothedNs() {
    return smoothedNs;
  }

  /** A packet that was sent so long before one that has come is lost: section 6.1.2. */
  long lossDelayNs() {
    return Math.max(9 * Math.max(smoothedNs, latestNs) / 8, GRANULARITY_NS);
  }

  /**
   * When nothing has come for so long something is sent to learn what has: section 6.2.1.
   *
   * @param mostDelayNs how long the other side waits at most
   */
  long probeTimeoutNs(long mostDelayNs) {
    return smoothedNs + Math.max(4 * variationNs, GRANULARITY_NS) + mostDelayNs;
  }
}
