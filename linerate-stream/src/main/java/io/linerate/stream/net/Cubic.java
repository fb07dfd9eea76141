package io.linerate.stream.net;

/**
 * How much may be on its way: CUBIC (RFC 9438) with slow start, in bytes. Times are of one clock,
 * in ns.
 */
final class Cubic {
  private static final double BETA = 0.7;
  private static final double C = 0.4;
  private static final double ALPHA = 3 * (1 - BETA) / (1 + BETA);
  private static final double NS_PER_S = 1e9;
  private static final int FIRST_SEGMENTS = 10;
  private static final int LEAST_SEGMENTS = 2;

  private final long mostBytes;
  private int segmentBytes;
  private double windowBytes;
  private double thresholdBytes = Double.MAX_VALUE;

  // Of the time since the last loss, in segments and seconds.
  private double before;
  private double beforeLoss;
  private double friendly;
  private double inflectionS;
  private boolean hasEpoch;
  private long epochNs;

  /** When packets came last. */
  private long ackedNs;

  /** What was sent before that belongs to a loss that is known. */
  private long recoveryNs;

  private boolean hasLost;

  /**
   * @param segmentBytes of a packet's payload
   * @param mostBytes that the window ever has
   */
  Cubic(int segmentBytes, long mostBytes) {
    this.segmentBytes = segmentBytes;
    this.mostBytes = mostBytes;
    windowBytes = (double) FIRST_SEGMENTS * segmentBytes;
  }

  long windowBytes() {
    return (long) windowBytes;
  }

  /** Whether the window still doubles with each round trip. */
  boolean isSlowStart() {
    return windowBytes < thresholdBytes;
  }

  /** Packets are of another size from now on. */
  void segmentBytes(int next) {
    double ratio = (double) segmentBytes / next;
    before *= ratio;
    beforeLoss *= ratio;
    hasEpoch = false;
    segmentBytes = next;
    windowBytes = Math.max(windowBytes, (double) LEAST_SEGMENTS * next);
  }

  /**
   * Packets have come.
   *
   * @param sentNs when the newest of them was sent
   * @param isFull whether as much was on its way as the window allows: what does not use it does
   *     not make it grow (RFC 9438, section 5.8)
   */
  void acked(long bytes, long sentNs, long nowNs, long roundTripNs, boolean isFull) {
    long sinceNs = nowNs - ackedNs;
    ackedNs = nowNs;
    if (!isFull) {
      epochNs += sinceNs; // What is not used is not time that it grows in.
    }
    if (!isFull || isOfKnownLoss(sentNs)) {
      return;
    }
    if (isSlowStart()) {
      windowBytes = Math.min(Math.min(windowBytes + bytes, thresholdBytes), (double) mostBytes);
      return;
    }
    double segments = windowBytes / segmentBytes;
    double ackedSegments = (double) bytes / segmentBytes;
    if (!hasEpoch) {
      hasEpoch = true;
      epochNs = nowNs;
      friendly = segments;
      inflectionS = before > segments ? Math.cbrt((before - segments) / C) : 0;
      before = Math.max(before, segments);
    }
    double seconds = (nowNs - epochNs) / NS_PER_S;
    double target =
        Math.min(Math.max(cubic(seconds + roundTripNs / NS_PER_S), segments), 1.5 * segments);
    friendly += (friendly >= beforeLoss ? 1 : ALPHA) * ackedSegments / segments;
    double next =
        cubic(seconds) < friendly
            ? Math.max(segments, friendly)
            : segments + (target - segments) / segments * ackedSegments;
    windowBytes = Math.min(next * segmentBytes, (double) mostBytes);
  }

  private double cubic(double seconds) {
    double since = seconds - inflectionS;
    return C * since * since * since + before;
  }

  private boolean isOfKnownLoss(long sentNs) {
    return hasLost && sentNs - recoveryNs <= 0;
  }

  /**
   * A packet was lost: once for all that were on their way when that became known.
   *
   * @param sentNs when it was sent
   * @return whether the window is smaller
   */
  boolean lost(long sentNs, long nowNs) {
    if (isOfKnownLoss(sentNs)) {
      return false;
    }
    hasLost = true;
    recoveryNs = nowNs;
    double segments = windowBytes / segmentBytes;
    beforeLoss = segments;
    before = segments < before ? segments * (1 + BETA) / 2 : segments; // Section 4.7.
    windowBytes = Math.max(windowBytes * BETA, (double) LEAST_SEGMENTS * segmentBytes);
    thresholdBytes = windowBytes;
    hasEpoch = false;
    return true;
  }

  /** Nothing has come for several time-outs: RFC 9002, section 7.6. */
  void startAgain() {
    thresholdBytes = Math.max(windowBytes * BETA, (double) LEAST_SEGMENTS * segmentBytes);
    windowBytes = (double) LEAST_SEGMENTS * segmentBytes;
    hasEpoch = false;
    before = 0;
  }
}
