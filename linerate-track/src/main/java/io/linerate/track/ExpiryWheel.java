package io.linerate.track;

import java.util.Arrays;

/**
 * Which connections are to be looked at, and when: a timing wheel (Varghese and Lauck, Hashed and
 * Hierarchical Timing Wheels, 1987, scheme 6) of a list for each second. A connection whose time is
 * put off stays where it is until that second comes; one that has longer than the wheel goes round
 * again.
 */
final class ExpiryWheel {
  static final long TICK_NS = 1_000_000_000;

  /** Lists; a power of two. */
  static final int LISTS = 1_024;

  private static final int NONE = ConnectionTable.NONE;

  private final ConnectionRecords records;
  private final int[] firsts = new int[LISTS];
  private final long startNs;

  /** All lists before this tick are empty, but for what goes round. */
  private long tick;

  ExpiryWheel(ConnectionRecords records, long nowNs) {
    this.records = records;
    startNs = nowNs;
    Arrays.fill(firsts, NONE);
  }

  /** The tick in which all is over that is over at a time. */
  private long tickOf(long timeNs) {
    return Math.ceilDiv(timeNs - startNs, TICK_NS);
  }

  void add(int number, long expiresNs) {
    long at = Math.clamp(tickOf(expiresNs), tick + 1, tick + LISTS - 1);
    int first = firsts[list((int) at)];
    records.tick(number, (int) at);
    records.next(number, first);
    records.previous(number, NONE);
    if (first != NONE) {
      records.previous(first, number);
    }
    firsts[list((int) at)] = number;
  }

  private static int list(int tick) {
    return tick & (LISTS - 1);
  }

  /** Whether it would be looked at too late. */
  boolean isLate(int number, long expiresNs) {
    return records.tick(number) - (int) tickOf(expiresNs) > 0;
  }

  void remove(int number) {
    int next = records.next(number);
    int previous = records.previous(number);
    if (previous == NONE) {
      firsts[list(records.tick(number))] = next;
    } else {
      records.next(previous, next);
    }
    if (next != NONE) {
      records.previous(next, previous);
    }
  }

  /** One that is to be looked at, which has to leave its list then; {@link #NONE} if none is. */
  int due(long nowNs) {
    long last = Math.floorDiv(nowNs - startNs, TICK_NS);
    if (tick < last - LISTS) {
      tick = last - LISTS; // Each list once is all of them.
    }
    while (true) {
      int first = firsts[list((int) tick)];
      if (first != NONE || tick >= last) {
        return tick > last ? NONE : first;
      }
      tick++;
    }
  }
}
