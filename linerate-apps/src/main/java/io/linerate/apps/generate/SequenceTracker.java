package io.linerate.apps.generate;

import java.util.Arrays;

/**
 * What became of the packets of one substream, from the sequence numbers that come back. It
 * remembers the last {@link #WINDOW}; an older one is taken for one that did not come before.
 */
final class SequenceTracker {
  static final int WINDOW = 1 << 16;

  private final long[] seen = new long[WINDOW / Long.SIZE];
  private long highest = -1;
  private long unique;
  private long duplicates;

  /** Whether the packet of this number comes for the first time. */
  boolean add(long sequence) {
    boolean isRemembered = highest - sequence < WINDOW;
    if (sequence > highest) {
      advance(sequence);
    } else if (isRemembered && isSeen(sequence)) {
      duplicates++;
      return false;
    } else if (isRemembered) {
      mark(sequence);
    }
    unique++;
    return true;
  }

  private void advance(long sequence) {
    if (sequence - highest >= WINDOW) {
      Arrays.fill(seen, 0);
    } else {
      for (long i = highest + 1; i < sequence; i++) {
        seen[word(i)] &= ~(1L << i);
      }
    }
    highest = sequence;
    mark(sequence);
  }

  private boolean isSeen(long sequence) {
    return (seen[word(sequence)] & 1L << sequence) != 0;
  }

  private void mark(long sequence) {
    seen[word(sequence)] |= 1L << sequence;
  }

  private static int word(long sequence) {
    return (int) (sequence >>> 6) & WINDOW / Long.SIZE - 1;
  }

  /** Different packets that came. */
  long unique() {
    return unique;
  }

  /** Packets that were overtaken by others, and have not come. */
  long missing() {
    return Math.max(0, highest + 1 - unique);
  }

  long duplicates() {
    return duplicates;
  }
}
