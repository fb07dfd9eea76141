package io.linerate.middlebox.nat;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * The ports outside that one worker may give to mappings, of each address and kind. It allocates
 * nothing once it is made. One thread's own.
 *
 * <p>A mapping keeps the port that it has inside, if that is free, and has one as even or odd as
 * that otherwise (RFC 4787, REQ-3 and 4), chosen at random (RFC 6056, section 3.3.1). Ports of UDP
 * and identifiers of ICMP rest for 120 s before others have them (RFC 6888, REQ-8), unless there
 * are no others.
 */
final class PortPool {
  /** No port. */
  static final int NONE = -1;

  private static final int PORTS = 65_536;
  private static final int WORDS = PORTS / Long.SIZE;
  private static final long EVEN = 0x5555_5555_5555_5555L;
  private static final long REST_NS = 120_000_000_000L;

  /** Bits of what nobody may have now, by pool. */
  private final long[][] used;

  /** How many anybody may have now, by pool: the even ones, and the odd ones. */
  private final int[][] free;

  /** Words of which some ports are this worker's. */
  private final int[] owned;

  private final SplittableRandom random;

  /** Ports that rest, by pool. */
  private final Resting[] resting;

  /** In a ring, in the order in which they came, which is that in which their rest is over. */
  private static final class Resting {
    private final char[] ports;
    private final long[] untilNs;
    private int first;
    private int count;

    Resting(int most) {
      ports = new char[Math.max(1, most)];
      untilNs = new long[ports.length];
    }

    void add(int port, long whenNs) {
      int last = (first + count) % ports.length;
      ports[last] = (char) port;
      untilNs[last] = whenNs;
      count++;
    }

    boolean isOver(long nowNs) {
      return count > 0 && untilNs[first] - nowNs <= 0;
    }

    int removeFirst() {
      int port = ports[first];
      first = first + 1 == ports.length ? 0 : first + 1;
      count--;
      return port;
    }
  }

  /**
   * @param plan says which ports the worker has
   * @param seed of random choices
   */
  PortPool(NatPlan plan, int worker, long seed) {
    random = new SplittableRandom(seed);
    used = new long[plan.pools()][WORDS];
    free = new int[used.length][2];
    resting = new Resting[used.length];
    boolean[] isOwned = new boolean[WORDS];
    for (int pool = 0; pool < used.length; pool++) {
      Arrays.fill(used[pool], -1L);
      for (int port = 0; port < PORTS; port++) {
        if (plan.isFree(pool, port, worker)) {
          used[pool][port >>> 6] &= ~(1L << port);
          isOwned[port >>> 6] = true;
          free[pool][port & 1]++;
        }
      }
      resting[pool] = new Resting(NatPlan.rests(pool) ? free[pool][0] + free[pool][1] : 0);
    }
    int count = 0;
    int[] words = new int[WORDS];
    for (int word = 0; word < WORDS; word++) {
      if (isOwned[word]) {
        words[count++] = word;
      }
    }
    owned = Arrays.copyOf(words, count);
  }

  /**
   * Takes a port.
   *
   * @param preferred the one that the mapping has inside
   * @return {@link #NONE} if there is none
   */
  int take(int pool, int preferred, long nowNs) {
    wake(pool, nowNs);
    int port = takeNow(pool, preferred);
    return port == NONE && resting[pool].count > 0 ? resting[pool].removeFirst() : port;
  }

  /** Takes this port; false if somebody has it, or it is none of the pool's. */
  boolean takeThis(int pool, int port) {
    long[] bits = used[pool];
    if ((bits[port >>> 6] & (1L << port)) != 0) {
      return false;
    }
    bits[port >>> 6] |= 1L << port;
    free[pool][port & 1]--;
    return true;
  }

  private int takeNow(int pool, int preferred) {
    if (takeThis(pool, preferred)) {
      return preferred;
    }
    int parity = preferred & 1;
    int port = takeAny(pool, parity);
    return port == NONE ? takeAny(pool, parity ^ 1) : port;
  }

  private int takeAny(int pool, int parity) {
    if (free[pool][parity] == 0) {
      return NONE;
    }
    free[pool][parity]--;
    long[] bits = used[pool];
    long wanted = parity == 0 ? EVEN : ~EVEN;
    int start = random.nextInt(owned.length);
    for (int i = 0; i < owned.length; i++) {
      int word = owned[start + i < owned.length ? start + i : start + i - owned.length];
      long some = ~bits[word] & wanted;
      if (some != 0) {
        int skipped = random.nextInt(Long.bitCount(some));
        for (; skipped > 0; skipped--) {
          some &= some - 1;
        }
        int bit = Long.numberOfTrailingZeros(some);
        bits[word] |= 1L << bit;
        return (word << 6) + bit;
      }
    }
    throw new IllegalStateException(
        "ports are counted that are not free: pool=%d, parity=%d".formatted(pool, parity));
  }

  /**
   * Gives a port back.
   *
   * @param rests whether nobody is to have it for some time
   */
  void release(int pool, int port, boolean rests, long nowNs) {
    if (!rests) {
      free(pool, port);
      return;
    }
    resting[pool].add(port, nowNs + REST_NS);
  }

  /** Lets others have the ports of a pool that have rested. */
  private void wake(int pool, long nowNs) {
    while (resting[pool].isOver(nowNs)) {
      free(pool, resting[pool].removeFirst());
    }
  }

  private void free(int pool, int port) {
    used[pool][port >>> 6] &= ~(1L << port);
    free[pool][port & 1]++;
  }
}
