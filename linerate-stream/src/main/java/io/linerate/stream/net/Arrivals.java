package io.linerate.stream.net;

/** Datagrams of a session that have come, and what the other side is to be told of them. */
final class Arrivals {
  static final int NS_PER_US = 1_000;

  /** An acknowledgment is said to have waited for this at most. */
  static final long MAX_DELAY_US = 1_000_000;

  private final ReceivedNumbers numbers = new ReceivedNumbers();
  private long largest = -1;
  private long largestNs;
  private boolean isNewest;
  private int unacked;

  /** Whether a datagram of a number would be taken. */
  boolean isNew(long number) {
    return numbers.isNew(number);
  }

  /**
   * One was taken.
   *
   * @param isAnswered whether the other side waits for an acknowledgment
   */
  void add(long number, boolean isAnswered, long nowNs) {
    boolean _ = numbers.add(number);
    unacked += isAnswered ? 1 : 0;
    isNewest = number > largest;
    if (isNewest) {
      largest = number;
      largestNs = nowNs;
    }
  }

  /** Whether the one that was taken last was sent after all others that were taken. */
  boolean isNewest() {
    return isNewest;
  }

  boolean isEmpty() {
    return largest < 0;
  }

  /** Whether the other side waits for an acknowledgment. */
  boolean areAwaited() {
    return unacked > 0;
  }

  /** What was written was not sent. */
  void writeAgain() {
    unacked = Math.max(unacked, isEmpty() ? 0 : 1);
  }

  /**
   * Writes which have come, if any.
   *
   * @return where what is behind it begins
   */
  int write(Datagram datagram, int at, long nowNs) {
    unacked = 0;
    if (isEmpty()) {
      return at;
    }
    datagram.u8(at, Wire.ACK);
    datagram.u64(at + 1, numbers.last(0));
    datagram.i32(at + 9, (int) Math.min((nowNs - largestNs) / NS_PER_US, MAX_DELAY_US));
    datagram.i32(at + 14, (int) Math.min(numbers.last(0) - numbers.first(0), Integer.MAX_VALUE));
    int range = at + Wire.ACK_BYTES;
    int written = 0;
    for (int i = 1; i < numbers.ranges(); i++) {
      long gap = numbers.first(i - 1) - numbers.last(i) - 2;
      long length = numbers.last(i) - numbers.first(i);
      if (gap > Integer.MAX_VALUE || length > Integer.MAX_VALUE) {
        break;
      }
      datagram.i32(range, (int) gap);
      datagram.i32(range + Integer.BYTES, (int) length);
      range += Wire.RANGE_BYTES;
      written++;
    }
    datagram.u8(at + 13, written);
    return range;
  }
}
