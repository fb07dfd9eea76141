package io.linerate.stream.net;

/**
 * Packets that were sent, and are neither known to have come nor to be lost (RFC 9002, section
 * 6.1). What one carried is sent again in a packet of another number.
 */
final class SentPackets {
  /** Packets that come after one before it is lost. */
  private static final int REORDERING = 3;

  private static final byte NONE = -1;

  private final long[] sentNs;
  private final long[] offsets;
  private final int[] lengths;
  private final byte[] kinds;
  private final int mask;

  /** All that are on their way are from {@code oldest} on, below {@code next}. */
  private long oldest;

  private long next;
  private long highestAcked = -1;
  private long bytes;
  private int count;

  /** Told what has become of a packet. */
  interface Fates {
    /** It has come. */
    void acked(int kind, long offset, int length, long sentAtNs);

    /** It has not, or later than is waited for. */
    void lost(int kind, long offset, int length, long sentAtNs);
  }

  /**
   * @param most packets on their way, a power of two
   */
  SentPackets(int most) {
    sentNs = new long[most];
    offsets = new long[most];
    lengths = new int[most];
    kinds = new byte[most];
    mask = most - 1;
  }

  /** Whether one more may be sent. */
  boolean hasRoom() {
    return next - oldest <= mask;
  }

  /** Bytes of streams on their way. */
  long bytes() {
    return bytes;
  }

  /** The number of the next packet. */
  long next() {
    return next;
  }

  /** Whether nothing is on its way that is answered. */
  boolean isEmpty() {
    return count == 0;
  }

  /**
   * A packet is sent that is answered.
   *
   * @param kind what it carries, a frame of {@link Wire}
   * @param length bytes of streams
   */
  void add(int kind, long offset, int length, long nowNs) {
    int slot = (int) next & mask;
    sentNs[slot] = nowNs;
    offsets[slot] = offset;
    lengths[slot] = length;
    kinds[slot] = (byte) kind;
    bytes += length;
    count++;
    next++;
  }

  /** A number is used for what is not answered, or was not sent after all. */
  void skip() {
    kinds[(int) next & mask] = NONE;
    next++;
    forget();
  }

  /**
   * The other side says that numbers from {@code first} to {@code last} have come.
   *
   * @return when the last of them was sent, if that was on its way; -1: it was not, or was never
   *     sent, which is not believed
   */
  long acked(long first, long last, Fates fates) {
    if (last >= next || first > last) {
      return -1;
    }
    long lastNs = -1;
    for (long number = Math.max(first, oldest); number <= last; number++) {
      int slot = (int) number & mask;
      if (kinds[slot] != NONE) {
        int kind = remove(slot);
        fates.acked(kind, offsets[slot], lengths[slot], sentNs[slot]);
        if (number == last) {
          lastNs = sentNs[slot];
        }
      }
    }
    highestAcked = Math.max(highestAcked, last);
    forget();
    return lastNs;
  }

  private int remove(int slot) {
    int kind = kinds[slot];
    kinds[slot] = NONE;
    bytes -= lengths[slot];
    count--;
    return kind;
  }

  private void forget() {
    while (oldest < next && kinds[(int) oldest & mask] == NONE) {
      oldest++;
    }
  }

  /**
   * Finds what is lost by what has come.
   *
   * @param delayNs how long before now a packet was sent that is lost
   * @return when to look again; {@link Long#MAX_VALUE}: when something has come
   */
  long findLost(long nowNs, long delayNs, Fates fates) {
    long againNs = Long.MAX_VALUE;
    for (long number = oldest; number < highestAcked; number++) {
      int slot = (int) number & mask;
      if (kinds[slot] != NONE) {
        boolean isLate = nowNs - sentNs[slot] >= delayNs;
        if (isLate || highestAcked - number >= REORDERING) {
          fates.lost(remove(slot), offsets[slot], lengths[slot], sentNs[slot]);
        } else if (againNs == Long.MAX_VALUE) {
          againNs = sentNs[slot] + delayNs;
        }
      }
    }
    forget();
    return againNs;
  }

  /** The oldest that is on its way is given up, without a sign that it is lost. */
  void loseOldest(Fates fates) {
    forget();
    if (oldest < next) {
      int slot = (int) oldest & mask;
      fates.lost(remove(slot), offsets[slot], lengths[slot], sentNs[slot]);
      forget();
    }
  }
}
