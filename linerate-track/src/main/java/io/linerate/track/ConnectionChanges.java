package io.linerate.track;

/**
 * Which connections of a table have come, gone or changed since somebody looked, each once: for who
 * keeps a copy of them. What packets only count is no change. {@link ConnectionTable#changes} makes
 * it; the table's thread uses it.
 */
public final class ConnectionChanges {
  private static final int NONE = ConnectionTable.NONE;

  private final ConnectionRecords records;
  private final int capacity;
  private final long[] isNoted;

  /** A ring: no number is in it twice, so that all have room. */
  private final int[] numbers;

  private int first;
  private int count;
  private int refreshed;

  ConnectionChanges(ConnectionRecords records, int capacity) {
    this.records = records;
    this.capacity = capacity;
    isNoted = new long[(capacity + Long.SIZE - 1) / Long.SIZE];
    numbers = new int[capacity];
  }

  void note(int number) {
    long bit = 1L << number;
    int word = number / Long.SIZE;
    if ((isNoted[word] & bit) == 0) {
      isNoted[word] |= bit;
      int at = first + count++;
      numbers[at < capacity ? at : at - capacity] = number;
    }
  }

  /** Counts as changed the next of those that are there: some at a time, all in the end. */
  public void refresh(int most) {
    for (int i = 0; i < most; i++) {
      refreshed = refreshed + 1 < capacity ? refreshed + 1 : 0;
      if (records.isLive(refreshed)) {
        note(refreshed);
      }
    }
  }

  /** How many there are. */
  public int count() {
    return count;
  }

  /** The number of the one that has waited longest; {@link ConnectionTable#NONE} if none has. */
  public int take() {
    if (count == 0) {
      return NONE;
    }
    int number = numbers[first];
    first = first + 1 < capacity ? first + 1 : 0;
    count--;
    isNoted[number / Long.SIZE] &= ~(1L << number);
    return number;
  }
}
