package io.linerate.decode;

/**
 * What the messages of one direction of a stream have asked that was not answered yet: see {@link
 * Protocol#exchange}. The oldest 32 are known; of those behind them only how many there are.
 */
final class Questions {
  private static final int BITS = 2;
  private static final int MOST = Long.SIZE / BITS;

  /** The oldest is lowest. */
  private long known;

  private int knownCount;
  private int furtherCount;

  /** None is open. */
  void clear() {
    known = 0;
    knownCount = 0;
    furtherCount = 0;
  }

  /** A message has asked something, from 1 to {@link Protocol#MOST_QUESTION}. */
  void add(int question) {
    if (knownCount < MOST && furtherCount == 0) {
      known |= (long) question << (BITS * knownCount++);
    } else {
      furtherCount++;
    }
  }

  /** The oldest; 0 if it is not known. */
  int first() {
    return (int) known & Protocol.MOST_QUESTION;
  }

  /** The oldest was answered. */
  void removeFirst() {
    if (knownCount > 0) {
      known >>>= BITS;
      knownCount--;
    } else if (furtherCount > 0) {
      furtherCount--;
    }
  }
}
