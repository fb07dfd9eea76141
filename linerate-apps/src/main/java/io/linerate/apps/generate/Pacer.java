package io.linerate.apps.generate;

/**
 * When the packets of one worker's part of a stream are due.
 *
 * <p>Each packet has a time of its own, counted from the start, so that no error adds up. Packets
 * due within {@link #BURST_NS} leave together with the first of them. After a time without the CPU
 * the missed packets follow at twice the rate until they have caught up, and are counted as late.
 */
final class Pacer {
  /** The time whose packets make a burst: 10 packets at 1 Mpps, one at 100 kpps and below. */
  static final long BURST_NS = 10_000;

  /** A packet that leaves later than this after its time is late. */
  static final long LATE_NS = 1_000_000;

  private long dueNs;
  private double fraction;
  private long notBeforeNs;
  private double spentNs;
  private long latePackets;
  private long worstLateNs;

  /** Sets the time of the next packet. */
  void start(long firstDueNs) {
    dueNs = firstDueNs;
    fraction = 0;
    notBeforeNs = firstDueNs;
  }

  long dueNs() {
    return dueNs;
  }

  /** The time until which there is nothing to do. */
  long nextNs() {
    return Math.max(dueNs, notBeforeNs);
  }

  boolean isReady(long nowNs) {
    return nowNs - dueNs >= 0 && nowNs - notBeforeNs >= 0;
  }

  /** Packets of this cost that leave now, at most {@code most}. */
  int due(long nowNs, double costNs, int most) {
    if (costNs <= 0) {
      return most;
    }
    double horizonNs = Math.max(0, nowNs - dueNs) + BURST_NS - costNs;
    return (int) Math.min(most, 1 + Math.max(0, horizonNs) / costNs);
  }

  /** Says that so many packets leave at {@code nowNs}, each of this cost. */
  void sent(long nowNs, double costNs, int packets) {
    if (costNs <= 0) {
      return;
    }
    long lateNs = nowNs - dueNs;
    if (lateNs > LATE_NS) {
      latePackets += (long) Math.min(packets, Math.ceil((lateNs - LATE_NS) / costNs));
      worstLateNs = Math.max(worstLateNs, lateNs);
    }
    double burstNs = costNs * packets;
    spentNs += burstNs;
    double next = fraction + burstNs;
    long whole = (long) next;
    fraction = next - whole;
    dueNs += whole;
  }

  /** Ends a burst. */
  void burstEnded(long nowNs) {
    notBeforeNs = nowNs + (long) (spentNs / 2);
    spentNs = 0;
  }

  /** Packets that left more than {@link #LATE_NS} after their time. */
  long latePackets() {
    return latePackets;
  }

  long worstLateNs() {
    return worstLateNs;
  }
}
