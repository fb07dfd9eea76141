package io.linerate.wire.route;

import io.linerate.wire.Ipv6Prefix;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Routes by prefixes of IPv6 addresses: a number for each prefix, and for each address that of the
 * longest prefix that it begins with.
 *
 * <p>A trie whose root has a branch for each value of the first 16 bits, and whose other nodes have
 * one for each value of the next 8. A branch has the longest prefix that ends in its node (prefixes
 * are expanded to all branches that they cover: Srinivasan and Varghese, 1998), and, of longer
 * prefixes, up to {@value #MOST_IN_BUCKET} in a bucket, longest first; only when there are more it
 * has a node (burst tries: Heinz, Zobel, Williams, 2002). So sparse prefixes of 48 bits cost three
 * reads, whatever their number.
 *
 * <p>Any number of threads look up while one changes, as in {@link Ipv4Routes}. A node takes 2 KiB,
 * and stays when its routes are gone.
 */
public final class Ipv6Routes {
  /** What {@link #lookUp} returns where no prefix is known. */
  public static final int NONE = -1;

  /** The largest number of a route. */
  public static final int MAX_VALUE = (1 << 24) - 1;

  private static final int ROOT_BITS = 16;
  private static final int NODE_BITS = 8;
  private static final int NODE_WORDS = 1 << NODE_BITS;
  private static final int MOST_IN_BUCKET = 4;

  // An entry of a bucket: high, low, masks of both, bits 32 | value 32. One without a prefix fits
  // every address.
  private static final int HIGH_MASK = 2;
  private static final int LOW_MASK = 3;
  private static final int BITS_VALUE = 4;
  private static final int ENTRY_WORDS = 5;
  private static final int BUCKET_WORDS = MOST_IN_BUCKET * ENTRY_WORDS;
  private static final long NO_PREFIX = -1;

  private static final long GRACE_NS = 1_000_000_000;

  // A word, of a branch: 32 bits of what is below, 32 of its cover.
  // Below: 0: nothing; greater: where a node begins; less: the complement of where a bucket does.
  // Cover: 1 bit: it is one | bits of its prefix within the node 5 | value 24; 0: none.
  private static final int IS_COVER = 1 << 30;
  private static final int BITS_SHIFT = 24;
  private static final int BITS_MASK = 0x1F;
  private static final long COVER_MASK = 0xFFFF_FFFFL;

  private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);

  /** Those of the root, of all nodes and buckets. When there is no room, a larger copy. */
  private volatile long[] words = new long[2 << ROOT_BITS];

  private int usedWords = 1 << ROOT_BITS;
  private final Deque<FreeBucket> freeBuckets = new ArrayDeque<>();

  /** A bucket that nothing leads to any more; who was on the way may still look into it. */
  private record FreeBucket(int start, long sinceNs) {
    boolean isForgotten() {
      return System.nanoTime() - sinceNs > GRACE_NS;
    }
  }

  /** What is in a bucket. */
  private record Entry(Ipv6Prefix prefix, int value) {}

  private final Map<Ipv6Prefix, Integer> known = new HashMap<>();

  /** Prefixes that are known. */
  public synchronized int size() {
    return known.size();
  }

  // --- changes ---

  /** Where a walk through the trie has come to: a node. */
  private static final class Place {
    private int start;
    private int depth;
    private int bits = ROOT_BITS;

    void goTo(int node) {
      start = node;
      depth += bits;
      bits = NODE_BITS;
    }

    int branch(Ipv6Prefix prefix) {
      long word = depth < Long.SIZE ? prefix.high() : prefix.low();
      int shift = Long.SIZE - bits - (depth & (Long.SIZE - 1));
      return start + (int) ((word >>> shift) & ((1 << bits) - 1));
    }

    int end() {
      return depth + bits;
    }
  }

  private static int below(long word) {
    return (int) (word >> Integer.SIZE);
  }

  private static long word(int below, long cover) {
    return ((long) below << Integer.SIZE) | (cover & COVER_MASK);
  }

  /** The node in which a prefix ends, or that has it in a bucket. */
  private Place placeOf(Ipv6Prefix prefix) {
    Place place = new Place();
    while (prefix.bits() > place.end()) {
      int below = below(words[place.branch(prefix)]);
      if (below <= 0) {
        break;
      }
      place.goTo(below);
    }
    return place;
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
    enter(prefix, value);
    return before == null ? NONE : before;
  }

  private void enter(Ipv6Prefix prefix, int value) {
    Place place = placeOf(prefix);
    if (prefix.bits() <= place.end()) {
      cover(place, prefix, cover(place, prefix.bits(), value));
      return;
    }
    int branch = place.branch(prefix);
    int before = below(words[branch]);
    List<Entry> entries = entries(before);
    entries.removeIf(entry -> entry.prefix.equals(prefix));
    entries.add(new Entry(prefix, value));
    int after = entries.size() > MOST_IN_BUCKET ? newNode(place, entries) : ~newBucket(entries);
    setBelow(branch, after);
  }

  /** What was below is written before it is found. */
  private void setBelow(int branch, int below) {
    long word = words[branch];
    WORD.setRelease(words, branch, word(below, word));
    if (below(word) < 0) {
      freeBuckets.addLast(new FreeBucket(~below(word), System.nanoTime()));
    }
  }

  private static int cover(Place place, int bits, int value) {
    return IS_COVER | ((bits - place.depth) << BITS_SHIFT) | value;
  }

  /** A node below another one, with what was in a bucket there. Nobody sees it yet. */
  private int newNode(Place above, List<Entry> entries) {
    int node = take(NODE_WORDS);
    Place place = new Place();
    place.depth = above.depth;
    place.bits = above.bits;
    place.goTo(node);
    Map<Integer, List<Entry>> longer = new HashMap<>();
    for (Entry entry : entries) {
      if (entry.prefix.bits() <= place.end()) {
        cover(place, entry.prefix, cover(place, entry.prefix.bits(), entry.value));
      } else {
        int branch = place.branch(entry.prefix);
        longer.computeIfAbsent(branch, _ -> new ArrayList<>()).add(entry);
      }
    }
    longer.forEach((branch, some) -> {
      int below = some.size() > MOST_IN_BUCKET ? newNode(place, some) : ~newBucket(some);
      words[branch] = word(below, words[branch]);
    });
    return node;
  }

  private int take(int count) {
    int start = usedWords;
    usedWords = Math.addExact(start, count);
    if (usedWords > words.length) {
      words = Arrays.copyOf(words, Math.addExact(start, start / 2));
    }
    return start;
  }

  /** Writes to all branches that a prefix covers, where no longer prefix does. */
  private void cover(Place place, Ipv6Prefix prefix, int cover) {
    int within = prefix.bits() - place.depth;
    int from = place.branch(prefix);
    int to = from + (1 << (place.bits - within));
    for (int i = from; i < to; i++) {
      long word = words[i];
      if ((((int) word >>> BITS_SHIFT) & BITS_MASK) <= within) {
        WORD.setOpaque(words, i, word(below(word), cover));
      }
    }
  }

  private List<Entry> entries(int below) {
    List<Entry> entries = new ArrayList<>();
    for (int at = ~below; below < 0 && at < ~below + BUCKET_WORDS; at += ENTRY_WORDS) {
      long bitsValue = words[at + BITS_VALUE];
      if (bitsValue != NO_PREFIX) {
        Ipv6Prefix prefix = new Ipv6Prefix(words[at], words[at + 1], (int) (bitsValue >>> 32));
        entries.add(new Entry(prefix, (int) bitsValue));
      }
    }
    return entries;
  }

  private int newBucket(List<Entry> entries) {
    FreeBucket oldest = freeBuckets.peekFirst();
    boolean isFree = oldest != null && oldest.isForgotten();
    int start = isFree ? freeBuckets.removeFirst().start : take(BUCKET_WORDS);
    Arrays.fill(words, start, start + BUCKET_WORDS, 0);
    entries.sort(Comparator.comparingInt((Entry entry) -> entry.prefix.bits()).reversed());
    for (int i = 0; i < MOST_IN_BUCKET; i++) {
      int at = start + i * ENTRY_WORDS;
      words[at + BITS_VALUE] = NO_PREFIX;
      if (i < entries.size()) {
        Ipv6Prefix prefix = entries.get(i).prefix;
        words[at] = prefix.high();
        words[at + 1] = prefix.low();
        words[at + HIGH_MASK] = Ipv6Prefix.highMask(prefix.bits());
        words[at + LOW_MASK] = Ipv6Prefix.lowMask(prefix.bits());
        words[at + BITS_VALUE] = ((long) prefix.bits() << 32) | entries.get(i).value;
      }
    }
    return start;
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
    Place place = placeOf(prefix);
    if (prefix.bits() <= place.end()) {
      cover(place, prefix, around(place, prefix));
      return before;
    }
    int branch = place.branch(prefix);
    List<Entry> entries = entries(below(words[branch]));
    entries.removeIf(entry -> entry.prefix.equals(prefix));
    setBelow(branch, entries.isEmpty() ? 0 : ~newBucket(entries));
    return before;
  }

  /** The cover of the longest prefix around one that ends in the same node; 0 if there is none. */
  private int around(Place place, Ipv6Prefix prefix) {
    int least = place.depth == 0 ? 0 : place.depth + 1;
    for (int bits = prefix.bits() - 1; bits >= least; bits--) {
      Integer value = known.get(Ipv6Prefix.of(prefix.high(), prefix.low(), bits));
      if (value != null) {
        return cover(place, bits, value);
      }
    }
    return 0;
  }

  // --- look-ups ---

  /**
   * The route of an address. Any thread.
   *
   * @return its number, or {@link #NONE}
   */
  public int lookUp(long high, long low) {
    return lookUp(words, high, low);
  }

  /**
   * What a word leads to was written before it, and is read by what it says: in that order without
   * a fence. An older array leads to what there was when it was left.
   */
  private static int lookUp(long[] words, long high, long low) {
    long word = words[(int) (high >>> (Long.SIZE - ROOT_BITS))];
    int cover = (int) word;
    long rest = high << ROOT_BITS;
    for (int depth = ROOT_BITS; below(word) > 0; depth += NODE_BITS) {
      if (depth == Long.SIZE) {
        rest = low;
      }
      word = words[below(word) + (int) (rest >>> (Long.SIZE - NODE_BITS))];
      cover = (int) word != 0 ? (int) word : cover;
      rest <<= NODE_BITS;
    }
    int best = cover == 0 ? NONE : cover & MAX_VALUE;
    return below(word) == 0 ? best : inBucket(words, ~below(word), high, low, best);
  }

  private static int inBucket(long[] words, int start, long high, long low, int best) {
    for (int i = 0; i < BUCKET_WORDS; i += ENTRY_WORDS) {
      long difference =
          ((high ^ words[start + i]) & words[start + i + HIGH_MASK])
              | ((low ^ words[start + i + 1]) & words[start + i + LOW_MASK]);
      if (difference == 0) {
        long bitsValue = words[start + i + BITS_VALUE];
        return bitsValue == NO_PREFIX ? best : (int) bitsValue;
      }
    }
    return best;
  }

  /**
   * The routes of many addresses: who waits for memory waits for several at once. Any thread.
   *
   * @param highs bytes 0 to 7 of each
   * @param lows bytes 8 to 15
   * @param values to be filled, as by {@link #lookUp(long, long)}
   */
  public void lookUp(long[] highs, long[] lows, int[] values, int count) {
    long[] all = words;
    for (int i = 0; i < count; i++) {
      values[i] = fetch(all, highs[i]);
    }
    for (int i = 0; i < count; i++) {
      values[i] = lookUp(all, highs[i], lows[i]);
    }
  }

  /** Reads what a look-up reads first. The number means nothing. */
  private static int fetch(long[] words, long high) {
    int below = below(words[(int) (high >>> (Long.SIZE - ROOT_BITS))]);
    int branch = (int) (high >>> (Long.SIZE - ROOT_BITS - NODE_BITS)) & (NODE_WORDS - 1);
    return (int) words[Math.max(below, 0) + branch];
  }
}
