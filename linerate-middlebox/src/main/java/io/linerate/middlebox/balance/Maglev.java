package io.linerate.middlebox.balance;

import java.util.Arrays;
import java.util.List;

/**
 * A table in which each backend has a share of the places, as even as can be, and keeps nearly all
 * of them when others come and go (Eisenbud et al., Maglev, NSDI 2016, section 3.4). Each backend
 * has an order of its own in which it wants places, by two hashes of its name; in turn each takes
 * the next that is free. A backend of less weight leaves turns out. Immutable.
 */
final class Maglev {
  /**
   * A prime, much larger than the number of backends: no share is 1 % off for up to 600 of them.
   */
  static final int PLACES = 65_537;

  /** No backend. */
  static final int NONE = -1;

  private static final char EMPTY = Character.MAX_VALUE;

  private final char[] places;

  private Maglev(char[] places) {
    this.places = places;
  }

  /**
   * What a backend is in a table.
   *
   * @param number that {@link #at} gives, below 65,535
   * @param name what tells it from others, wherever it stands
   * @param weight 0: no places
   */
  record Share(int number, long name, int weight) {}

  static Maglev of(List<Share> some) {
    List<Share> shares = some.stream().filter(share -> share.weight > 0).toList();
    char[] places = new char[shares.isEmpty() ? 0 : PLACES];
    Arrays.fill(places, EMPTY);
    int most = shares.stream().mapToInt(Share::weight).max().orElse(0);
    int[] next = new int[shares.size()];
    int[] skip = new int[shares.size()];
    int[] credit = new int[shares.size()];
    for (int i = 0; i < next.length; i++) {
      long name = shares.get(i).name;
      next[i] = (int) Long.remainderUnsigned(mixed(name), PLACES);
      skip[i] = 1 + (int) Long.remainderUnsigned(mixed(~name), PLACES - 1);
    }
    int taken = 0;
    while (taken < places.length) {
      for (int i = 0; i < next.length && taken < places.length; i++) {
        credit[i] += shares.get(i).weight;
        if (credit[i] < most) {
          continue;
        }
        credit[i] -= most;
        while (places[next[i]] != EMPTY) {
          next[i] = (next[i] + skip[i]) % PLACES;
        }
        places[next[i]] = (char) shares.get(i).number;
        taken++;
      }
    }
    return new Maglev(places);
  }

  /** The finalizer of SplitMix64. */
  private static long mixed(long value) {
    long z = value + 0x9E37_79B9_7F4A_7C15L;
    z = (z ^ (z >>> 30)) * 0xBF58_476D_1CE4_E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D0_49BB_1331_11EBL;
    return z ^ (z >>> 31);
  }

  /** The backend of a flow with this hash, of 64 bits; {@link #NONE} if there is none at all. */
  int at(long hash) {
    if (places.length == 0) {
      return NONE;
    }
    return places[(int) (((hash >>> 32) * PLACES) >>> 32)];
  }
}
