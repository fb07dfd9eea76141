package io.linerate.driver.ring;

import io.linerate.core.driver.MbufArray;
import io.linerate.core.driver.PacketPools;

/**
 * Packets on their way through a fault port, in order of arrival, each until its time has come. One
 * that is to be reordered is set aside then, until others have passed it. One thread's own.
 *
 * <p>Its arrays are as large as they ever get from the beginning.
 */
final class DelayLine {
  /** Packets at most that are set aside; further ones keep their place. */
  static final int MAX_ASIDE = 64;

  /** How long a packet that was set aside waits, when none is there that could pass it. */
  static final long PATIENCE_NS = 10_000_000;

  private final int capacity;
  private final int mask;
  private final long[] mbufs;
  private final long[] dueNs;

  /** How many packets are to pass this one; 0: it keeps its place. */
  private final int[] passes;

  private long added;
  private long taken;

  /** Packets that have left without having been set aside. */
  private long passed;

  // Those that are aside, in order of arrival.
  private final long[] asideMbufs = new long[MAX_ASIDE];

  /** Value of {@link #passed} when it was set aside, and when it leaves. */
  private final long[] asideSince = new long[MAX_ASIDE];

  private final long[] asideUntil = new long[MAX_ASIDE];
  private final long[] asideLastNs = new long[MAX_ASIDE];
  private int aside;

  private long reordered;

  /**
   * @param capacity packets at most, beside those that are aside
   */
  DelayLine(int capacity) {
    this.capacity = capacity;
    int slots = Integer.highestOneBit(Math.max(1, capacity - 1)) << 1;
    mask = slots - 1;
    mbufs = new long[slots];
    dueNs = new long[slots];
    passes = new int[slots];
  }

  int room() {
    return capacity - (int) (added - taken);
  }

  int size() {
    return (int) (added - taken) + aside;
  }

  boolean isEmpty() {
    return size() == 0;
  }

  /** Packets that left behind one that had arrived later. */
  long reordered() {
    return reordered;
  }

  /**
   * Takes a packet, for which there is {@link #room}.
   *
   * @param atNs when it may leave: not before the one that was added last
   * @param passing packets that are to pass it then
   */
  void add(long mbuf, long atNs, int passing) {
    int slot = (int) added++ & mask;
    mbufs[slot] = mbuf;
    dueNs[slot] = atNs;
    passes[slot] = passing;
  }

  /**
   * Appends packets whose time has come, as far as there is room.
   *
   * @param isLast whether no more will be added, so that nobody waits for being passed
   */
  void release(MbufArray into, long nowNs, boolean isLast) {
    while (into.room() > 0) {
      long mbuf = next(nowNs, isLast);
      if (mbuf == 0) {
        return;
      }
      into.append(mbuf);
    }
  }

  private long next(long nowNs, boolean isLast) {
    for (int i = 0; i < aside; i++) {
      if (asideUntil[i] <= passed) {
        return takeAside(i);
      }
    }
    while (taken < added && dueNs[(int) taken & mask] <= nowNs) {
      int slot = (int) taken++ & mask;
      if (passes[slot] == 0 || aside == MAX_ASIDE) {
        passed++;
        return mbufs[slot];
      }
      setAside(slot, nowNs);
    }
    return nextImpatient(nowNs, isLast && taken == added);
  }

  /** There is none that could pass those that are aside. */
  private long nextImpatient(long nowNs, boolean isLast) {
    for (int i = 0; i < aside; i++) {
      if (isLast || asideLastNs[i] <= nowNs) {
        return takeAside(i);
      }
    }
    return 0;
  }

  private void setAside(int slot, long nowNs) {
    asideMbufs[aside] = mbufs[slot];
    asideSince[aside] = passed;
    asideUntil[aside] = passed + passes[slot];
    asideLastNs[aside++] = nowNs + PATIENCE_NS;
  }

  private long takeAside(int index) {
    long mbuf = asideMbufs[index];
    reordered += passed > asideSince[index] ? 1 : 0;
    int behind = --aside - index;
    System.arraycopy(asideMbufs, index + 1, asideMbufs, index, behind);
    System.arraycopy(asideSince, index + 1, asideSince, index, behind);
    System.arraycopy(asideUntil, index + 1, asideUntil, index, behind);
    System.arraycopy(asideLastNs, index + 1, asideLastNs, index, behind);
    return mbuf;
  }

  /** Frees what is left, and returns how many packets that were. */
  int free(PacketPools pools) {
    MbufArray left = new MbufArray(Math.max(1, size()));
    while (taken < added) {
      left.append(mbufs[(int) taken++ & mask]);
    }
    for (int i = 0; i < aside; i++) {
      left.append(asideMbufs[i]);
    }
    aside = 0;
    int count = left.size();
    left.clear();
    pools.free(left.address(), count);
    return count;
  }
}
