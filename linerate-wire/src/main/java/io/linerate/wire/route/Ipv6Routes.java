package io.linerate.wire.route;

import io.linerate.wire.Ipv6Prefix;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Routes by prefixes of IPv6 addresses: a number for each prefix, and for each address that of the
 * longest prefix that it begins with.
 *
 * <p>A trie whose root has a branch for each value of the first 16 bits, and whose other nodes have
 * one for each value of the next 8. A branch has the longest prefix that ends in its node (prefixes
 * are expanded to all branches that they cover: Srinivasan and Varghese, 1998), and, of longer
 * prefixes, up to {@value #MOST_IN_BUCKET} in an array, longest first; only when there are more it
 * has a node (burst tries: Heinz, Zobel, Williams, 2002). So sparse prefixes of 48 bits cost three
 * reads, whatever their number.
 *
 * <p>Any number of threads look up while one changes, as in {@link Ipv4Routes}. Arrays are made
 * anew for each change, and left to the garbage collector.
 */
public final class Ipv6Routes {
  /** What {@link #lookUp} returns where no prefix is known. */
  public static final int NONE = -1;

  /** The largest number of a route. */
  public static final int MAX_VALUE = (1 << 24) - 1;

  private static final int ROOT_BITS = 16;
  private static final int NODE_BITS = 8;
  private static final int MOST_IN_BUCKET = 8;

  // An entry of a bucket: high, low, bits 32 | value 32.
  private static final int ENTRY_WORDS = 3;

  // A cover: 1 bit: it is one | bits of its prefix within the node 5 | value 24; 0: none.
  private static final int IS_COVER = 1 << 30;
  private static final int BITS_SHIFT = 24;
  private static final int BITS_MASK = 0x1F;

  private static final VarHandle COVER = MethodHandles.arrayElementVarHandle(int[].class);
  private static final VarHandle CHILD = MethodHandles.arrayElementVarHandle(Object[].class);

  /** A part of the bits of addresses, from {@code depth} on. */
  private static final class Node {
    private final int depth;
    private final int bits;
    private final int[] covers;

    /** Of each branch a {@link Node}, a bucket, or null. */
    private final @Nullable Object[] children;

    Node(int depth, int bits) {
      this.depth = depth;
      this.bits = bits;
      covers = new int[1 << bits];
      children = new Object[1 << bits];
    }

    int branch(long high, long low) {
      long word = depth < Long.SIZE ? high : low;
      return (int) (word >>> (Long.SIZE - bits - (depth & (Long.SIZE - 1)))) & (covers.length - 1);
    }

    int end() {
      return depth + bits;
    }
  }

  private final Node root = new Node(0, ROOT_BITS);
  private final Map<Ipv6Prefix, Integer> known = new HashMap<>();

  /** Prefixes that are known. */
  public synchronized int size() {
    return known.size();
  }

  /**
   * Adds a route, or changes it.
   *
   * @param value 0 to {@link #MAX_VALUE}
   * @return what it was before, or {@link #NONE}
   * @throws IllegalArgumentException if the value is out of range
   */
  public synchronized int put(Ipv6Prefix prefix, int value) {
    if (value < 0 || value > MAX_VALUE) {
      throw new IllegalArgumentException(
          "not a route: value=%d; 0 to %d are allowed".formatted(value, MAX_VALUE));
    }
    Integer before = known.put(prefix, value);
    put(root, prefix, value);
    return before == null ? NONE : before;
  }

  private static void put(Node start, Ipv6Prefix prefix, int value) {
    Node node = start;
    while (prefix.bits() > node.end()) {
      int branch = node.branch(prefix.high(), prefix.low());
      Object child = node.children[branch];
      if (child instanceof Node next) {
        node = next;
        continue;
      }
      long[] bucket = with((long[]) child, prefix, value);
      boolean isFull = bucket.length > MOST_IN_BUCKET * ENTRY_WORDS;
      CHILD.setRelease(node.children, branch, isFull ? node(node.end(), bucket) : bucket);
      return;
    }
    cover(node, prefix, word(node, prefix.bits(), value));
  }

  private static int word(Node node, int bits, int value) {
    return IS_COVER | ((bits - node.depth) << BITS_SHIFT) | value;
  }

  private static Node node(int depth, long[] bucket) {
    Node node = new Node(depth, NODE_BITS);
    for (int at = 0; at < bucket.length; at += ENTRY_WORDS) {
      int bits = (int) (bucket[at + 2] >>> 32);
      put(node, new Ipv6Prefix(bucket[at], bucket[at + 1], bits), (int) bucket[at + 2]);
    }
    return node;
  }

  /** Writes a word to all branches that a prefix covers, where no longer prefix does. */
  private static void cover(Node node, Ipv6Prefix prefix, int word) {
    int within = prefix.bits() - node.depth;
    int from = node.branch(prefix.high(), prefix.low());
    int to = from + (1 << (node.bits - within));
    for (int i = from; i < to; i++) {
      if (((node.covers[i] >>> BITS_SHIFT) & BITS_MASK) <= within) {
        COVER.setOpaque(node.covers, i, word);
      }
    }
  }

  /** A bucket with a prefix more, or with another value of one. */
  private static long[] with(long @Nullable [] bucket, Ipv6Prefix prefix, int value) {
    long[] before = bucket == null ? new long[0] : without(bucket, prefix);
    int at = 0;
    while (at < before.length && (int) (before[at + 2] >>> 32) >= prefix.bits()) {
      at += ENTRY_WORDS;
    }
    long[] after = new long[before.length + ENTRY_WORDS];
    System.arraycopy(before, 0, after, 0, at);
    after[at] = prefix.high();
    after[at + 1] = prefix.low();
    after[at + 2] = ((long) prefix.bits() << 32) | value;
    System.arraycopy(before, at, after, at + ENTRY_WORDS, before.length - at);
    return after;
  }

  private static long[] without(long[] bucket, Ipv6Prefix prefix) {
    for (int at = 0; at < bucket.length; at += ENTRY_WORDS) {
      if (bucket[at] == prefix.high()
          && bucket[at + 1] == prefix.low()
          && (int) (bucket[at + 2] >>> 32) == prefix.bits()) {
        long[] after = new long[bucket.length - ENTRY_WORDS];
        System.arraycopy(bucket, 0, after, 0, at);
        System.arraycopy(bucket, at + ENTRY_WORDS, after, at, after.length - at);
        return after;
      }
    }
    return bucket;
  }

  /**
   * Removes a route.
   *
   * @return what it was, or {@link #NONE} if there was none
   */
  public synchronized int remove(Ipv6Prefix prefix) {
    Integer before = known.remove(prefix);
    if (before == null) {
      return NONE;
    }
    Node node = root;
    while (prefix.bits() > node.end()) {
      int branch = node.branch(prefix.high(), prefix.low());
      Object child = node.children[branch];
      if (child instanceof Node next) {
        node = next;
        continue;
      }
      long[] after = child == null ? new long[0] : without((long[]) child, prefix);
      CHILD.setRelease(node.children, branch, after.length == 0 ? null : after);
      return before;
    }
    cover(node, prefix, around(node, prefix));
    return before;
  }

  /** The word of the longest prefix around one that ends in the same node; 0 if there is none. */
  private int around(Node node, Ipv6Prefix prefix) {
    int least = node.depth == 0 ? 0 : node.depth + 1;
    for (int bits = prefix.bits() - 1; bits >= least; bits--) {
      Integer value = known.get(Ipv6Prefix.of(prefix.high(), prefix.low(), bits));
      if (value != null) {
        return word(node, bits, value);
      }
    }
    return 0;
  }

  /**
   * The route of an address. Any thread.
   *
   * @return its number, or {@link #NONE}
   */
  public int lookUp(long high, long low) {
    Node node = root;
    int best = NONE;
    while (true) {
      int branch = node.branch(high, low);
      int cover = (int) COVER.getOpaque(node.covers, branch);
      if (cover != 0) {
        best = cover & MAX_VALUE;
      }
      Object child = CHILD.getAcquire(node.children, branch);
      if (child instanceof Node next) {
        node = next;
      } else {
        return child == null ? best : inBucket((long[]) child, high, low, best);
      }
    }
  }

  /**
   * The routes of many addresses: who waits for memory waits for several at once. Any thread.
   *
   * @param highs bytes 0 to 7 of each
   * @param lows bytes 8 to 15
   * @param values to be filled, as by {@link #lookUp(long, long)}
   */
  public void lookUp(long[] highs, long[] lows, int[] values, int count) {
    for (int i = 0; i < count; i++) {
      values[i] = fetch(highs[i], lows[i]);
    }
    for (int i = 0; i < count; i++) {
      values[i] = lookUp(highs[i], lows[i]);
    }
  }

  /** Reads what a look-up reads first. The number means nothing. */
  private int fetch(long high, long low) {
    int branch = root.branch(high, low);
    int some = (int) COVER.getOpaque(root.covers, branch);
    Object child = CHILD.getAcquire(root.children, branch);
    if (child instanceof Node node) {
      return some + (int) COVER.getOpaque(node.covers, node.branch(high, low));
    }
    return child == null ? some : some + (int) ((long[]) child)[0];
  }

  private static int inBucket(long[] bucket, long high, long low, int best) {
    for (int at = 0; at < bucket.length; at += ENTRY_WORDS) {
      int bits = (int) (bucket[at + 2] >>> 32);
      if (((high ^ bucket[at]) & Ipv6Prefix.highMask(bits)) == 0
          && ((low ^ bucket[at + 1]) & Ipv6Prefix.lowMask(bits)) == 0) {
        return (int) bucket[at + 2];
      }
    }
    return best;
  }
}
