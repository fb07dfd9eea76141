package io.linerate.stream;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Tokens that wait for others of their key, in the order in which they came. They have places,
 * which only grow. One thread's own; without an object for each.
 *
 * @param <T> class of the tokens
 */
final class WaitingTokens<T> {
  /** No place. */
  static final long NONE = -1;

  private final int most;

  // A ring, by place.
  private @Nullable Object[] tokens = new Object[16];
  private long[] timeNs = new long[16];
  private int[] key = new int[16];
  private boolean[] isJoined = new boolean[16];

  /** The next one of the same key. */
  private long[] next = new long[16];

  private long begin;
  private long end;

  /** By the number of a key, its oldest and newest. */
  private long[] oldest = none(16);

  private long[] newest = none(16);

  WaitingTokens(int most) {
    this.most = most;
  }

  private static long[] none(int length) {
    long[] made = new long[length];
    Arrays.fill(made, NONE);
    return made;
  }

  int size() {
    return (int) (end - begin);
  }

  private int slot(long place) {
    return (int) place & (tokens.length - 1);
  }

  /** Keeps a token; false: there is no room. */
  boolean add(T token, int number, long atNs, boolean isJoinedAlready) {
    if (size() == most) {
      return false;
    }
    if (size() == tokens.length) {
      grow();
    }
    if (number >= oldest.length) {
      growKeys(2 * number);
    }
    int slot = slot(end);
    tokens[slot] = token;
    timeNs[slot] = atNs;
    key[slot] = number;
    isJoined[slot] = isJoinedAlready;
    next[slot] = NONE;
    if (oldest[number] == NONE) {
      oldest[number] = end;
    } else {
      next[slot(newest[number])] = end;
    }
    newest[number] = end++;
    return true;
  }

  private void grow() {
    int length = tokens.length;
    int shift = slot(begin);
    Object[] oldTokens = tokens;
    long[] oldTimes = timeNs;
    int[] oldKeys = key;
    boolean[] oldJoined = isJoined;
    long[] oldNext = next;
    tokens = new Object[2 * length];
    timeNs = new long[2 * length];
    key = new int[2 * length];
    isJoined = new boolean[2 * length];
    next = new long[2 * length];
    for (long place = begin; place < end; place++) {
      int from = (shift + (int) (place - begin)) & (length - 1);
      int to = slot(place);
      tokens[to] = oldTokens[from];
      timeNs[to] = oldTimes[from];
      key[to] = oldKeys[from];
      isJoined[to] = oldJoined[from];
      next[to] = oldNext[from];
    }
  }

  private void growKeys(int length) {
    int before = oldest.length;
    oldest = Arrays.copyOf(oldest, length);
    newest = Arrays.copyOf(newest, length);
    Arrays.fill(oldest, before, length, NONE);
    Arrays.fill(newest, before, length, NONE);
  }

  /** The oldest of a key; {@link #NONE} if there is none. */
  long oldest(int number) {
    return number < oldest.length ? oldest[number] : NONE;
  }

  /** The next one of the same key; {@link #NONE} if there is none. */
  long next(long place) {
    return next[slot(place)];
  }

  @SuppressWarnings("unchecked") // Only such are put in.
  T token(long place) {
    return (T) Objects.requireNonNull(tokens[slot(place)]);
  }

  long timeNs(long place) {
    return timeNs[slot(place)];
  }

  void join(long place) {
    isJoined[slot(place)] = true;
  }

  /** When the token came, or was, that has waited for the longest; there is one. */
  long firstNs() {
    return timeNs[slot(begin)];
  }

  /** The number of its key. */
  int firstKey() {
    return key[slot(begin)];
  }

  /**
   * Forgets it.
   *
   * @return whether it was joined with another
   */
  boolean removeFirst() {
    int slot = slot(begin);
    int number = key[slot];
    tokens[slot] = null;
    begin++;
    oldest[number] = next[slot];
    if (oldest[number] == NONE) {
      newest[number] = NONE;
    }
    return isJoined[slot];
  }
}
