package io.linerate.wire.route;

import io.linerate.wire.Ipv4Prefix;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * Routes by prefixes of IPv4 addresses: a number for each prefix, and for each address that of the
 * longest prefix that it begins with. An address costs one read of memory, and a second one where
 * prefixes are longer than 24 bits (DIR-24-8: Gupta, Lin, McKeown, Routing Lookups in Hardware at
 * Memory Access Speeds, 1998).
 *
 * <pre>{@code
 * routes.put(new Ipv4Prefix(Ipv4Address.parse("198.51.100.0"), 24), 7);
 * int next = routes.lookUp(ipv4.destination());
 * }</pre>
 *
 * <p>Any number of threads look up while one changes: each gets what held before or holds after the
 * change, of a prefix that is being changed or one around it, never that of another. A change
 * writes all that the prefix covers: a prefix of 8 bits 65,536 words, the default route 2^24, some
 * 10 ms. It takes 64 MiB, and 1 KiB for each 256 addresses that have ever had a prefix longer than
 * 24 bits.
 */
public final class Ipv4Routes {
  /** What {@link #lookUp} returns where no prefix is known. */
  public static final int NONE = -1;

  /** The largest number of a route. */
  public static final int MAX_VALUE = (1 << 24) - 1;

  private static final int FIRST_BITS = 24;
  private static final int ADDRESS_BITS = 32;
  private static final int GROUP_WORDS = 1 << (ADDRESS_BITS - FIRST_BITS);
  private static final int GROUPS_PER_CHUNK = 256;

  // A word: 1 bit: it is the number of a group | 1 bit: it is a route | 6 bits of its prefix |
  // value.
  private static final int IS_GROUP = 1 << 31;
  private static final int IS_ROUTE = 1 << 30;
  private static final int BITS_SHIFT = 24;
  private static final int BITS_MASK = 0x3F;

  private static final int[] NO_CHUNK = {};

  private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(int[].class);

  private final int[] first = new int[1 << FIRST_BITS];

  /** Groups of words for the last 8 bits of addresses, many in one array. */
  private final int[][] chunks = new int[(1 << FIRST_BITS) / GROUPS_PER_CHUNK][];

  private int groups;
  private final PrefixValues known = new PrefixValues();

  public Ipv4Routes() {
    Arrays.fill(chunks, NO_CHUNK);
  }

  /** Prefixes that are known. */
  public synchronized int size() {
    return known.size();
  }

  private static long key(int address, int bits) {
    return (Integer.toUnsignedLong(address) << 6) | bits;
  }

  /**
   * Adds a route, or changes it.
   *
   * @param value 0 to {@link #MAX_VALUE}
   * @return what it was before, or {@link #NONE}
   * @throws IllegalArgumentException if the value is out of range
   */
  public synchronized int put(Ipv4Prefix prefix, int value) {
    if (value < 0 || value > MAX_VALUE) {
      throw new IllegalArgumentException(
          "not a route: value=%d; 0 to %d are allowed".formatted(value, MAX_VALUE));
    }
    int before = known.put(key(prefix.address(), prefix.bits()), value);
    write(prefix, prefix.bits(), word(prefix.bits(), value));
    return before;
  }

  private static int word(int bits, int value) {
    return IS_ROUTE | (bits << BITS_SHIFT) | value;
  }

  /**
   * Removes a route.
   *
   * @return what it was, or {@link #NONE} if there was none
   */
  public synchronized int remove(Ipv4Prefix prefix) {
    int before = known.remove(key(prefix.address(), prefix.bits()));
    if (before != NONE) {
      write(prefix, prefix.bits(), around(prefix));
    }
    return before;
  }

  /** The word of the longest prefix around one; 0 if there is none. */
  private int around(Ipv4Prefix prefix) {
    for (int bits = prefix.bits() - 1; bits >= 0; bits--) {
      int mask = bits == 0 ? 0 : -1 << (ADDRESS_BITS - bits);
      int value = known.get(key(prefix.address() & mask, bits));
      if (value != NONE) {
        return word(bits, value);
      }
    }
    return 0;
  }

  /** Writes a word wherever no longer prefix than {@code bits} is. */
  private void write(Ipv4Prefix prefix, int bits, int word) {
    int from = prefix.address() >>> (ADDRESS_BITS - FIRST_BITS);
    if (bits > FIRST_BITS) {
      int group = first[from];
      if (group >= 0) {
        group = IS_GROUP | newGroup(group);
        WORD.setRelease(first, from, group);
      }
      int within = prefix.address() & (GROUP_WORDS - 1);
      writeGroup(group, within, within + (1 << (ADDRESS_BITS - bits)), bits, word);
      return;
    }
    int to = from + (1 << (FIRST_BITS - bits));
    for (int i = from; i < to; i++) {
      int now = first[i];
      if (now < 0) {
        writeGroup(now, 0, GROUP_WORDS, bits, word);
      } else if (isNoLonger(now, bits)) {
        WORD.setOpaque(first, i, word);
      }
    }
  }

  private static boolean isNoLonger(int word, int bits) {
    return ((word >>> BITS_SHIFT) & BITS_MASK) <= bits;
  }

  private void writeGroup(int group, int from, int to, int bits, int word) {
    int[] chunk = chunk(group);
    int start = startOf(group);
    for (int i = start + from; i < start + to; i++) {
      if (isNoLonger(chunk[i], bits)) {
        WORD.setOpaque(chunk, i, word);
      }
    }
  }

  private int[] chunk(int group) {
    return chunks[(group & MAX_VALUE) / GROUPS_PER_CHUNK];
  }

  private static int startOf(int group) {
    return (group & (GROUPS_PER_CHUNK - 1)) * GROUP_WORDS;
  }

  private int newGroup(int word) {
    int group = groups++;
    if (chunk(group).length == 0) {
      chunks[group / GROUPS_PER_CHUNK] = new int[GROUPS_PER_CHUNK * GROUP_WORDS];
    }
    int start = startOf(group);
    Arrays.fill(chunk(group), start, start + GROUP_WORDS, word);
    return group;
  }

  /**
   * The route of an address. Any thread.
   *
   * @return its number, or {@link #NONE}
   */
  public int lookUp(int address) {
    int word = (int) WORD.getAcquire(first, address >>> (ADDRESS_BITS - FIRST_BITS));
    return value(word < 0 ? inGroup(word, address) : word);
  }

  private int inGroup(int group, int address) {
    return (int) WORD.getOpaque(chunk(group), startOf(group) + (address & (GROUP_WORDS - 1)));
  }

  /** Without a branch: its bit of a route, in all 32, or else {@link #NONE}. */
  private static int value(int word) {
    int isRoute = (word << 1) >> 31;
    return (word & MAX_VALUE) | ~isRoute;
  }

  /**
   * The routes of many addresses: who waits for memory waits for several at once. Any thread.
   *
   * @param values to be filled, as by {@link #lookUp(int)}
   */
  public void lookUp(int[] addresses, int[] values, int count) {
    int all = 0;
    for (int i = 0; i < count; i++) {
      int word = first[addresses[i] >>> (ADDRESS_BITS - FIRST_BITS)];
      values[i] = word;
      all |= word;
    }
    if (all < 0) {
      VarHandle.acquireFence();
      for (int i = 0; i < count; i++) {
        if (values[i] < 0) {
          values[i] = inGroup(values[i], addresses[i]);
        }
      }
    }
    for (int i = 0; i < count; i++) {
      values[i] = value(values[i]);
    }
  }
}
