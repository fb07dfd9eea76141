package io.linerate.wire.route;

import java.util.Arrays;

/** A map from longs, none of which is -1, to numbers that are not negative. */
final class PrefixValues {
  /** What is not there. */
  static final int NONE = -1;

  private static final long EMPTY = -1;
  private static final long MULTIPLIER = 0x9E37_79B9_7F4A_7C15L;

  private long[] keys = new long[16];
  private int[] values = new int[16];
  private int size;

  PrefixValues() {
    Arrays.fill(keys, EMPTY);
  }

  int size() {
    return size;
  }

  private int home(long key) {
    long mixed = key * MULTIPLIER;
    return (int) (mixed >>> 32) & (keys.length - 1);
  }

  /** Where a key is, or the empty place where it would be. */
  private int place(long key) {
    int at = home(key);
    while (keys[at] != EMPTY && keys[at] != key) {
      at = (at + 1) & (keys.length - 1);
    }
    return at;
  }

  int get(long key) {
    int at = place(key);
    return keys[at] == EMPTY ? NONE : values[at];
  }

  /** Returns what was there before, or {@link #NONE}. */
  int put(long key, int value) {
    int at = place(key);
    if (keys[at] == key) {
      int before = values[at];
      values[at] = value;
      return before;
    }
    keys[at] = key;
    values[at] = value;
    size++;
    if (size > keys.length / 2) {
      grow();
    }
    return NONE;
  }

  private void grow() {
    long[] someKeys = keys;
    int[] someValues = values;
    keys = new long[2 * someKeys.length];
    values = new int[keys.length];
    Arrays.fill(keys, EMPTY);
    for (int i = 0; i < someKeys.length; i++) {
      if (someKeys[i] != EMPTY) {
        int at = place(someKeys[i]);
        keys[at] = someKeys[i];
        values[at] = someValues[i];
      }
    }
  }

  /** Returns what was there before, or {@link #NONE}. */
  int remove(long key) {
    int hole = place(key);
    if (keys[hole] == EMPTY) {
      return NONE;
    }
    int before = values[hole];
    int last = keys.length - 1;
    for (int next = (hole + 1) & last; keys[next] != EMPTY; next = (next + 1) & last) {
      int home = home(keys[next]);
      if (((next - home) & last) >= ((next - hole) & last)) {
        keys[hole] = keys[next];
        values[hole] = values[next];
        hole = next;
      }
    }
    keys[hole] = EMPTY;
    size--;
    return before;
  }
}
