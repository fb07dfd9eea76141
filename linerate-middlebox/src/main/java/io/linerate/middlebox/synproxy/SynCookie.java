package io.linerate.middlebox.synproxy;

import io.linerate.wire.FlowKey;

/**
 * Sequence numbers that remember a SYN in place of a table (D. J. Bernstein, SYN cookies, 1996; RFC
 * 4987, section 3.6): 24 bits that only who knows the secret can make, of the flow, its first
 * sequence number and the time, and 8 bits of what the SYN has offered. One thread's own.
 *
 * <pre>
 *  | proof        | segment size | window scale | selective acknowledgment |
 *  31             8              5              1                          0
 * </pre>
 */
final class SynCookie {
  /** No window scale was offered. */
  static final int NO_SCALE = 15;

  /** {@link #read}: it is none. */
  static final int NONE = -1;

  /** Largest segments by their number, in bytes: of what is offered the next smaller one counts. */
  private static final int[] SEGMENTS = {216, 536, 1_220, 1_340, 1_400, 1_440, 1_460, 8_940};

  private static final long PERIOD_NS = 64_000_000_000L;
  private static final int BYTES = 44;
  private static final int PROOF = 0xFFFF_FF00;

  private final SipHash hash;

  SynCookie(SipHash hash) {
    this.hash = hash;
  }

  /**
   * What a SYN has offered, as a cookie has it.
   *
   * @param segmentBytes the largest that the sender takes
   * @param scale of its window, {@link #NO_SCALE} if it has none
   */
  static int offer(int segmentBytes, int scale, boolean hasSelective) {
    int number = SEGMENTS.length - 1;
    while (number > 0 && SEGMENTS[number] > segmentBytes) {
      number--;
    }
    return number << 5 | scale << 1 | (hasSelective ? 1 : 0);
  }

  static int segmentBytes(int offer) {
    return SEGMENTS[offer >>> 5];
  }

  static int scale(int offer) {
    return offer >>> 1 & 0xF;
  }

  static boolean hasSelective(int offer) {
    return (offer & 1) != 0;
  }

  /**
   * The sequence number that answers a SYN.
   *
   * @param flow of the SYN
   * @param sequence its number
   */
  int make(FlowKey flow, int sequence, int offer, long nowNs) {
    return proof(flow, sequence, offer, period(nowNs)) | offer;
  }

  /**
   * What the SYN has offered that a sequence number has answered, in this period of 64 s or the one
   * before; {@link #NONE} if it has answered none.
   */
  int read(FlowKey flow, int sequence, int cookie, long nowNs) {
    int offer = cookie & ~PROOF;
    long period = period(nowNs);
    boolean isOne =
        (cookie & PROOF) == proof(flow, sequence, offer, period)
            || (cookie & PROOF) == proof(flow, sequence, offer, period - 1);
    return isOne ? offer : NONE;
  }

  private static long period(long nowNs) {
    return Math.floorDiv(nowNs, PERIOD_NS);
  }

  private int proof(FlowKey flow, int sequence, int offer, long period) {
    long ports =
        (long) flow.sourcePort() << 48
            | (long) flow.destinationPort() << 32
            | Integer.toUnsignedLong(sequence);
    long rest = (period & 0xFF_FFFFL) << 8 | offer;
    return (int)
            hash.begin()
                .add(flow.sourceHigh())
                .add(flow.sourceLow())
                .add(flow.destinationHigh())
                .add(flow.destinationLow())
                .add(ports)
                .end((long) BYTES << 56 | rest)
        & PROOF;
  }
}
