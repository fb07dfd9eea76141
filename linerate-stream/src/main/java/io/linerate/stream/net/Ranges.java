package io.linerate.stream.net;

import java.util.Arrays;

/** Ranges of offsets that do not touch, in order: what has come, or is to be sent again. */
final class Ranges {
  private static final int FIRST = 16;

  private final int most;

  // From the first offset on, below the second; the lowest range first.
  private long[] from = new long[FIRST];
  private long[] to = new long[FIRST];
  private int count;

  /**
   * @param most ranges that it ever has
   */
  Ranges(int most) {
    this.most = most;
  }

  boolean isEmpty() {
    return count == 0;
  }

  int count() {
    return count;
  }

  /** Where the lowest range begins. */
  long first() {
    return from[0];
  }

  /** Where the lowest range ends. */
  long firstEnd() {
    return to[0];
  }

  /** Where the highest range ends. */
  long lastEnd() {
    return to[count - 1];
  }

  void clear() {
    count = 0;
  }

  /**
   * Adds a range; what of it is there already stays.
   *
   * @return false if there were one range too many: nothing has changed then
   */
  boolean add(long begin, long end) {
    if (begin >= end) {
      return true;
    }
    int after = count; // The first range behind it that it does not touch.
    while (after > 0 && from[after - 1] > end) {
      after--;
    }
    int at = after; // The first that it touches.
    while (at > 0 && to[at - 1] >= begin) {
      at--;
    }
    if (at == after) {
      return insert(at, begin, end);
    }
    from[at] = Math.min(from[at], begin);
    to[at] = Math.max(to[after - 1], end);
    delete(at + 1, after);
    return true;
  }

  /**
   * Removes what is in a range.
   *
   * @return false if that made one range too many: nothing has changed then
   */
  boolean remove(long begin, long end) {
    int at = 0;
    while (at < count && to[at] <= begin) {
      at++;
    }
    if (at == count || from[at] >= end || begin >= end) {
      return true;
    }
    if (from[at] < begin && to[at] > end) {
      if (!insert(at + 1, end, to[at])) {
        return false;
      }
      to[at] = begin;
      return true;
    }
    if (from[at] < begin) {
      to[at] = begin;
      at++;
    }
    int after = at;
    while (after < count && to[after] <= end) {
      after++;
    }
    if (after < count && from[after] < end) {
      from[after] = end;
    }
    delete(at, after);
    return true;
  }

  /** Removes from other ranges what these have of a range. */
  void removeFrom(Ranges other, long begin, long end) {
    for (int i = 0; i < count && from[i] < end; i++) {
      if (to[i] > begin) {
        boolean _ = other.remove(Math.max(from[i], begin), Math.min(to[i], end));
      }
    }
  }

  private boolean insert(int at, long begin, long end) {
    if (count == most) {
      return false;
    }
    if (count == from.length) {
      from = Arrays.copyOf(from, 2 * count);
      to = Arrays.copyOf(to, 2 * count);
    }
    System.arraycopy(from, at, from, at + 1, count - at);
    System.arraycopy(to, at, to, at + 1, count - at);
    from[at] = begin;
    to[at] = end;
    count++;
    return true;
  }

  private void delete(int begin, int end) {
    System.arraycopy(from, end, from, begin, count - end);
    System.arraycopy(to, end, to, begin, count - end);
    count -= end - begin;
  }
}
