package io.linerate.stream;

import java.util.Arrays;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Sessions of keys that have not ended: times of one key that overlap are one session. One thread's
 * own; without an object for each.
 *
 * @param <T> what has a key
 * @param <A> what is known of a session
 */
final class Sessions<T, A> {
  /** Told what has ended. */
  @FunctionalInterface
  interface Ended<A> {
    /** A session has ended. */
    void ended(Object key, long startNs, long endNs, A known);
  }

  private static final int NONE = Keys.NONE;

  private final Keys<T> keys;
  private final int most;
  private final BinaryOperator<A> merge;

  /** By the number of a key: one of its sessions. */
  private int[] first = none(16);

  // By the number of a session.
  private @Nullable Object[] known = new Object[16];
  private long[] startNs = new long[16];
  private long[] endNs = new long[16];
  private int[] key = new int[16];

  /** The next session of the same key, or of those that are free. */
  private int[] next = none(16);

  /** When to look whether it has ended: each token puts the end off, which need not be sorted. */
  private long[] dueNs = new long[16];

  private int[] place = new int[16];

  /** A binary heap of sessions by when they are due. */
  private int[] heap = new int[16];

  private int size;
  private int used;
  private int free = NONE;

  /**
   * Makes room for what is to come.
   *
   * @param most sessions
   * @param merge what is known of two that turn out to be one, the earlier first
   */
  Sessions(Keys<T> keys, int most, BinaryOperator<A> merge) {
    this.keys = keys;
    this.most = most;
    this.merge = merge;
  }

  private static int[] none(int length) {
    int[] made = new int[length];
    Arrays.fill(made, NONE);
    return made;
  }

  int size() {
    return size;
  }

  /** The session of a time; {@link Keys#NONE} if that is new and there are too many. */
  int open(T token, long fromNs, long untilNs) {
    int number = keys.number(token);
    if (number == NONE) {
      return NONE;
    }
    if (number >= first.length) {
      int length = first.length;
      first = Arrays.copyOf(first, 2 * number);
      Arrays.fill(first, length, first.length, NONE);
    }
    int found = NONE;
    int one = first[number];
    while (one != NONE) {
      int after = next[one];
      if (startNs[one] < untilNs && fromNs < endNs[one]) {
        found = found == NONE ? one : merged(found, one);
      }
      one = after;
    }
    if (found == NONE) {
      return create(number, fromNs, untilNs);
    }
    startNs[found] = Math.min(startNs[found], fromNs);
    endNs[found] = Math.max(endNs[found], untilNs);
    return found;
  }

  /** One session of two: the second is no more. */
  private int merged(int one, int other) {
    known(one, startNs[one] <= startNs[other] ? both(one, other) : both(other, one));
    startNs[one] = Math.min(startNs[one], startNs[other]);
    endNs[one] = Math.max(endNs[one], endNs[other]);
    remove(other);
    return one;
  }

  private int create(int number, long fromNs, long untilNs) {
    if (size == most) {
      if (first[number] == NONE) {
        keys.remove(number);
      }
      return NONE;
    }
    int made = free == NONE ? used++ : free;
    if (made == free) {
      free = next[made];
    } else if (made == known.length) {
      grow();
    }
    key[made] = number;
    startNs[made] = fromNs;
    endNs[made] = untilNs;
    dueNs[made] = untilNs;
    next[made] = first[number];
    first[number] = made;
    put(size++, made);
    up(made);
    return made;
  }

  private void grow() {
    int length = 2 * known.length;
    known = Arrays.copyOf(known, length);
    startNs = Arrays.copyOf(startNs, length);
    endNs = Arrays.copyOf(endNs, length);
    key = Arrays.copyOf(key, length);
    next = Arrays.copyOf(next, length);
    dueNs = Arrays.copyOf(dueNs, length);
    place = Arrays.copyOf(place, length);
    heap = Arrays.copyOf(heap, length);
  }

  /** What is known of a session; null: nothing, since its first token has cost an error. */
  @SuppressWarnings("unchecked") // Only such are put in.
  @Nullable A known(int session) {
    return (A) known[session];
  }

  private @Nullable A both(int earlier, int later) {
    A one = known(earlier);
    A other = known(later);
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    return merge.apply(one, other);
  }

  /** From now on that is known of it. */
  void known(int session, @Nullable A what) {
    known[session] = what;
  }

  /** Ends those that end until then, in the order of their ends. */
  void endUntil(long untilNs, Ended<A> ended) {
    while (size > 0 && dueNs[heap[0]] <= untilNs) {
      int one = heap[0];
      if (dueNs[one] < endNs[one]) {
        dueNs[one] = endNs[one];
        down(one);
      } else {
        end(one, ended);
      }
    }
  }

  private void end(int one, Ended<A> ended) {
    Object itsKey = keys.key(key[one]);
    A itsKnown = known(one);
    int number = key[one];
    remove(one);
    if (first[number] == NONE) {
      keys.remove(number);
    }
    if (itsKnown != null) {
      ended.ended(itsKey, startNs[one], endNs[one], itsKnown);
    }
  }

  /** When the next one ends, or earlier; {@link Long#MAX_VALUE} if there is none. */
  long nextEndNs() {
    return size == 0 ? Long.MAX_VALUE : dueNs[heap[0]];
  }

  void clear() {
    keys.clear();
    Arrays.fill(first, NONE);
    Arrays.fill(known, null);
    size = 0;
    used = 0;
    free = NONE;
  }

  private void remove(int one) {
    unlink(one);
    known[one] = null;
    next[one] = free;
    free = one;
    int last = heap[--size];
    if (last != one) {
      put(place[one], last);
      up(last);
      down(last);
    }
  }

  private void unlink(int one) {
    int number = key[one];
    if (first[number] == one) {
      first[number] = next[one];
      return;
    }
    int before = first[number];
    while (next[before] != one) {
      before = next[before];
    }
    next[before] = next[one];
  }

  private void put(int at, int one) {
    heap[at] = one;
    place[one] = at;
  }

  private void up(int one) {
    int at = place[one];
    while (at > 0 && dueNs[heap[(at - 1) / 2]] > dueNs[one]) {
      put(at, heap[(at - 1) / 2]);
      at = (at - 1) / 2;
    }
    put(at, one);
  }

  private void down(int one) {
    int at = place[one];
    while (2 * at + 1 < size) {
      int child = 2 * at + 1;
      if (child + 1 < size && dueNs[heap[child + 1]] < dueNs[heap[child]]) {
        child++;
      }
      if (dueNs[heap[child]] >= dueNs[one]) {
        break;
      }
      put(at, heap[child]);
      at = child;
    }
    put(at, one);
  }
}
