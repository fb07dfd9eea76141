package io.linerate.graph.element;

import java.util.Arrays;

/**
 * Neighbors in one array: eight words for each, and eight neighbors to which a hash may lead. An
 * entry is known by the index of its first word, which stays the same as long as it is there.
 *
 * <pre>
 *   address high, address low, MAC, state, confirmed, asked, questions, used
 * </pre>
 */
final class NeighborTable {
  static final int NONE = -1;

  static final int FREE = 0;

  /** Asked for; packets wait in the queue whose number is in the place of the MAC. */
  static final int INCOMPLETE = 1;

  static final int RESOLVED = 2;

  /** Added by hand. */
  static final int PERMANENT = 3;

  private static final int WORDS = 8;
  private static final int WAYS = 8;
  private static final int SET_WORDS = WAYS * WORDS;
  private static final int LOW = 1;
  private static final int MAC = 2;
  private static final int STATE = 3;
  private static final int CONFIRMED_NS = 4;
  private static final int ASKED_NS = 5;
  private static final int QUESTIONS = 6;
  private static final int USED_NS = 7;

  private static final long MULTIPLIER = 0x9E37_79B9_7F4A_7C15L;

  private final long[] words;
  private final long setMask;

  /** That nobody knows, so that nobody fills the places of one neighbor on purpose. */
  private final long seed = System.nanoTime() * MULTIPLIER;

  private int size;

  NeighborTable(int capacity) {
    int slots = Math.max(WAYS, Integer.highestOneBit(capacity - 1) << 1);
    words = new long[slots * WORDS];
    setMask = slots / WAYS - 1L;
  }

  /** Neighbors that are known or asked for. */
  int size() {
    return size;
  }

  int slots() {
    return words.length / WORDS;
  }

  /** The entry in a slot, {@link #NONE} if it is free. */
  int entry(int slot) {
    return words[slot * WORDS + STATE] == FREE ? NONE : slot * WORDS;
  }

  /** The entry of an address, or {@link #NONE}. */
  int find(long high, long low) {
    int first = set(high, low);
    for (int at = first; at < first + SET_WORDS; at += WORDS) {
      if (words[at + LOW] == low && words[at] == high && words[at + STATE] != FREE) {
        return at;
      }
    }
    return NONE;
  }

  private int set(long high, long low) {
    long z = (high ^ seed) * MULTIPLIER + low;
    z = (z ^ (z >>> 32)) * MULTIPLIER;
    return (int) ((z >>> 29) & setMask) * SET_WORDS;
  }

  /** Makes an entry where nobody is, or returns {@link #NONE}. */
  int add(long high, long low, int state, long nowNs) {
    int first = set(high, low);
    for (int at = first; at < first + SET_WORDS; at += WORDS) {
      if (words[at + STATE] == FREE) {
        words[at] = high;
        words[at + LOW] = low;
        words[at + STATE] = state;
        words[at + CONFIRMED_NS] = nowNs;
        words[at + USED_NS] = nowNs;
        size++;
        return at;
      }
    }
    return NONE;
  }

  /** Whether there is or could be an entry for an address: not if all were added by hand. */
  boolean isPossible(long high, long low) {
    int first = set(high, low);
    for (int at = first; at < first + SET_WORDS; at += WORDS) {
      if (words[at + STATE] != PERMANENT) {
        return true;
      }
    }
    return false;
  }

  /** The resolved entry that was used the longest ago where the address belongs, or NONE. */
  int oldest(long high, long low) {
    int first = set(high, low);
    int oldest = NONE;
    for (int at = first; at < first + SET_WORDS; at += WORDS) {
      if (words[at + STATE] == RESOLVED
          && (oldest == NONE || words[at + USED_NS] - words[oldest + USED_NS] < 0)) {
        oldest = at;
      }
    }
    return oldest;
  }

  void remove(int at) {
    Arrays.fill(words, at, at + WORDS, 0);
    size--;
  }

  long high(int at) {
    return words[at];
  }

  long low(int at) {
    return words[at + LOW];
  }

  int state(int at) {
    return (int) words[at + STATE];
  }

  /** The MAC address, or of an incomplete entry the number of its queue. */
  long mac(int at) {
    return words[at + MAC];
  }

  void mac(int at, long mac) {
    words[at + MAC] = mac;
  }

  void resolve(int at, int state, long mac) {
    words[at + STATE] = state;
    words[at + MAC] = mac;
  }

  /** When the address was confirmed, or of an incomplete entry, when it was made. */
  long confirmedNs(int at) {
    return words[at + CONFIRMED_NS];
  }

  void confirm(int at, long whenNs) {
    words[at + CONFIRMED_NS] = whenNs;
    words[at + QUESTIONS] = 0;
  }

  long askedNs(int at) {
    return words[at + ASKED_NS];
  }

  /** Questions since it was confirmed. */
  long questions(int at) {
    return words[at + QUESTIONS];
  }

  void asked(int at, long nowNs) {
    words[at + ASKED_NS] = nowNs;
    words[at + QUESTIONS]++;
  }

  void used(int at, long nowNs) {
    words[at + USED_NS] = nowNs;
  }
}
