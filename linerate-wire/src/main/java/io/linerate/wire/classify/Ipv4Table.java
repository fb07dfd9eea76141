package io.linerate.wire.classify;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * A value for each IPv4 address, the same for whole ranges of them: found in four steps without a
 * branch, however many ranges there are.
 *
 * <p>A trie of nodes with 32, 32, 32 and 64 children, in which children that stand side by side and
 * have the same value are one. A node has a bit for each child that begins something new; how many
 * of these there are up to a child is its place among those that are kept. Degermark et al., "Small
 * Forwarding Tables for Fast Routing Lookups", SIGCOMM 1997; Asai and Ohara, "Poptrie: A Compressed
 * Trie with Population Count", SIGCOMM 2015.
 *
 * <pre>
 *   words
 *       0 … 65535  nodes for 11 bits after the first 16 … 21: by these 16
 *   65536 …        nodes of both kinds, and values
 *
 *   a node of 32 children         | place of the first, less its size (32) | begins something new (32) |
 *                                 63                                       31                          0
 *   a node of 64 children         | begins something new (64)              |
 *                                 | place of the first, less 1             |
 * </pre>
 *
 * Half a megabyte, and for each range some 32 bytes where they lie close together, at most 136
 * where each lies alone; all that rounded up to a power of two. Immutable: any thread.
 */
public final class Ipv4Table {
  private static final int ROOT_BITS = 16;
  private static final int ROOTS = 1 << ROOT_BITS;

  /** Bits of an address behind a child of the root's nodes, and of those below. */
  private static final int UPPER_SHIFT = 11;

  private static final int LOWER_SHIFT = 6;

  private static final int UPPER_PARTS = 32;
  private static final int LOWEST_PARTS = 64;

  /** Of a node of 64 children. */
  private static final int LOWEST_WORDS = 2;

  /** Its length is a power of two, which spares each read a comparison. */
  private final long[] words;

  /**
   * A table of ranges, each of which ends where the next begins.
   *
   * @param starts first addresses, 0 to 2^32 - 1, in ascending order, each once; the first is 0
   * @param values one for each of them
   * @throws IllegalArgumentException if the first does not start at 0, the order is another, or
   *     their numbers differ
   */
  public Ipv4Table(long[] starts, long[] values) {
    if (starts.length == 0 || starts[0] != 0 || starts.length != values.length) {
      throw new IllegalArgumentException(
          "not a table of all addresses: starts=%d, values=%d; give as many, from 0 on"
              .formatted(starts.length, values.length));
    }
    for (int i = 1; i < starts.length; i++) {
      if (starts[i] <= starts[i - 1] || starts[i] > 0xFFFF_FFFFL) {
        throw new IllegalArgumentException(
            "not in ascending order below 2^32: starts[%d]=%d, starts[%d]=%d; sort them"
                .formatted(i - 1, starts[i - 1], i, starts[i]));
      }
    }
    words = new Builder(starts, values).build();
  }

  /** The value of an address. */
  public long get(int address) {
    return value(address, lowest(address));
  }

  /**
   * The first half of {@link #get}: for many addresses one half after the other is faster than each
   * by itself, since what comes from memory comes together.
   */
  int lowest(int address) {
    long[] all = words;
    int last = all.length - 1;
    int complement = ~address; // Shifts away what stands after a child.
    long root = all[address >>> ROOT_BITS & last];
    int upper = (int) (root >>> Integer.SIZE);
    long node = all[upper + Integer.bitCount((int) root << (complement >>> UPPER_SHIFT)) & last];
    return (int) (node >>> Integer.SIZE)
        + LOWEST_WORDS * Integer.bitCount((int) node << (complement >>> LOWER_SHIFT));
  }

  /** The other half. */
  long value(int address, int lowest) {
    long[] all = words;
    int last = all.length - 1;
    int first = (int) all[lowest + 1 & last];
    return all[first + Long.bitCount(all[lowest & last] << ~address) & last];
  }

  /** How many bytes the table has. */
  public long bytes() {
    return (long) words.length * Long.BYTES;
  }

  private static final class Builder {
    private final long[] starts;
    private final long[] values;

    /** Where the chain of nodes begins that has one value for all addresses. */
    private final Map<Long, Integer> uniform = new HashMap<>();

    private long[] words = new long[2 * ROOTS];
    private int end = ROOTS;

    Builder(long[] starts, long[] values) {
      this.starts = starts;
      this.values = values;
    }

    long[] build() {
      int range = 0;
      for (int root = 0; root < ROOTS; root++) {
        long first = (long) root << ROOT_BITS;
        range = rangeOf(first, range);
        long node =
            isUniform(range, first, ROOT_BITS)
                ? node(uniform(values[range]), 1, 1)
                : upper(first, range, UPPER_SHIFT);
        words[root] = node;
      }
      return words;
    }

    /** The range that has an address, from one that begins before. */
    private int rangeOf(long address, int from) {
      int range = from;
      while (range + 1 < starts.length && starts[range + 1] <= address) {
        range++;
      }
      return range;
    }

    private boolean isUniform(int range, long first, int bits) {
      return range + 1 == starts.length || starts[range + 1] >= first + (1L << bits);
    }

    private int allocate(int count) {
      int place = end;
      end += count;
      if (end > words.length) {
        words = Arrays.copyOf(words, Integer.highestOneBit(end) * 2);
      }
      return place;
    }

    private static long node(int first, int size, int begins) {
      return (long) (first - size) << Integer.SIZE | (begins & 0xFFFF_FFFFL);
    }

    /** The node of 32 children for which a value stands; behind it that of 64, and the value. */
    private int uniform(long value) {
      Integer known = uniform.get(value);
      if (known != null) {
        return known;
      }
      int place = allocate(1 + LOWEST_WORDS + 1);
      words[place] = node(place + 1, LOWEST_WORDS, 1);
      words[place + 1] = 1;
      words[place + 2] = place + 2L;
      words[place + 3] = value;
      uniform.put(value, place);
      return place;
    }

    /**
     * A node of 32 children.
     *
     * @param range that of its first address
     * @param bits of the addresses of a child
     */
    private long upper(long first, int range, int bits) {
      int[] ranges = new int[UPPER_PARTS];
      int begins = begins(first, range, bits, ranges);
      int size = bits == UPPER_SHIFT ? 1 : LOWEST_WORDS;
      int children = allocate(size * Integer.bitCount(begins));
      int child = children;
      for (int part = 0; part < UPPER_PARTS; part++) {
        if ((begins & 1 << part) != 0) {
          long start = first + ((long) part << bits);
          int own = ranges[part];
          if (size == 1) {
            long node =
                isUniform(own, start, bits)
                    ? node(uniform(values[own]) + 1, LOWEST_WORDS, 1)
                    : upper(start, own, LOWER_SHIFT);
            words[child] = node;
          } else {
            lowest(child, start, own);
          }
          child += size;
        }
      }
      return node(children, size, begins);
    }

    /** A bit for each of 32 parts that does not have the one value of the part before. */
    private int begins(long first, int range, int bits, int[] ranges) {
      int begins = 0;
      int own = range;
      boolean wasUniform = false;
      for (int part = 0; part < UPPER_PARTS; part++) {
        long start = first + ((long) part << bits);
        int before = own;
        own = rangeOf(start, own);
        ranges[part] = own;
        boolean isUniform = isUniform(own, start, bits);
        if (!(isUniform && wasUniform && values[own] == values[before])) {
          begins |= 1 << part;
        }
        wasUniform = isUniform;
      }
      return begins;
    }

    /** A node of 64 children, and the values that these are. */
    private void lowest(int place, long first, int range) {
      long begins = 1;
      int children = allocate(1);
      words[children] = values[range];
      int own = range;
      for (int part = 1; part < LOWEST_PARTS; part++) {
        int before = own;
        own = rangeOf(first + part, own);
        if (values[own] != values[before]) {
          begins |= 1L << part;
          int child = allocate(1);
          words[child] = values[own];
        }
      }
      words[place] = begins;
      words[place + 1] = children - 1L;
    }
  }
}
