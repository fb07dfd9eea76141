package io.linerate.stream.net;

/**
 * Numbers of packets that have come, as ranges: what is said to the other side, and which number
 * comes again. Ranges are bounded: of numbers below the lowest range that is kept all are taken to
 * have come, so that none is believed twice.
 */
final class ReceivedNumbers {
  /** Ranges that are kept. */
  static final int MOST_RANGES = 64;

  // The highest first; each from first to last, both in it.
  private final long[] firsts = new long[MOST_RANGES + 1];
  private final long[] lasts = new long[MOST_RANGES + 1];
  private int count;

  /** What is below has come, or will not be taken any more. */
  private long floor;

  /** Whether a number would be taken. */
  boolean isNew(long number) {
    if (number < floor) {
      return false;
    }
    for (int i = 0; i < count; i++) {
      if (number > lasts[i]) {
        return true;
      }
      if (number >= firsts[i]) {
        return false;
      }
    }
    return true;
  }

  /**
   * A packet has come, and is what it seems to be.
   *
   * @return false if its number has come before
   */
  boolean add(long number) {
    if (number < floor) {
      return false;
    }
    int at = 0;
    while (at < count && number < firsts[at]) {
      at++;
    }
    if (at < count && number <= lasts[at]) {
      return false;
    }
    boolean joinsLower = at < count && lasts[at] + 1 == number;
    boolean joinsHigher = at > 0 && firsts[at - 1] - 1 == number;
    if (joinsLower && joinsHigher) {
      firsts[at - 1] = firsts[at];
      remove(at);
    } else if (joinsLower) {
      lasts[at] = number;
    } else if (joinsHigher) {
      firsts[at - 1] = number;
    } else {
      insert(at, number);
    }
    return true;
  }

  private void insert(int at, long number) {
    System.arraycopy(firsts, at, firsts, at + 1, count - at);
    System.arraycopy(lasts, at, lasts, at + 1, count - at);
    firsts[at] = number;
    lasts[at] = number;
    count++;
    if (count > MOST_RANGES) {
      count--;
      floor = lasts[count] + 1;
    }
  }

  private void remove(int at) {
    count--;
    System.arraycopy(firsts, at + 1, firsts, at, count - at);
    System.arraycopy(lasts, at + 1, lasts, at, count - at);
  }

  /** How many ranges there are. */
  int ranges() {
    return count;
  }

  /** The lowest number of a range; that of 0 is the highest. */
  long first(int range) {
    return firsts[range];
  }

  /** The highest number of a range. */
  long last(int range) {
    return lasts[range];
  }
}
