package io.linerate.apps.firewall;

import java.util.Arrays;
import java.util.List;

/**
 * IPv4 rules that name one address each, in a hash table: a packet costs about the same for ten of
 * them as for 100,000.
 *
 * <p>Of rules for the same packets only the first is kept, since the first match decides. So the
 * table may stand in for its rules wherever they are among others: the lower one of the two answers
 * is right.
 *
 * <p>Open addressing with linear probing in one array, at most half full; a slot is
 *
 * <pre>
 *  | any (1 bit) | protocol (8) | source (32) | number of the rule, from 1 (23) |
 *  63            62             54            22                                0
 * </pre>
 *
 * and 0 when it is free, so that most answers cost one cache line. Multiplicative hashing: Knuth,
 * The Art of Computer Programming, volume 3, section 6.4.
 *
 * <p>Immutable, shared by all workers.
 */
final class ExactRules {
  /** So many rules fit the numbers. */
  static final int MAX_RULES = (1 << 23) - 1;

  private static final int NUMBER_BITS = 23;
  private static final int NUMBER_MASK = (1 << NUMBER_BITS) - 1;
  private static final long SOURCE_MASK = 0xFFFF_FFFFL;
  private static final int PROTOCOL_SHIFT = 48;
  private static final long PROTOCOL_MASK = 0xFF;
  private static final long ANY_PROTOCOL = 1L << 40;

  /** 2 to the 64 divided by the golden ratio. */
  private static final long MULTIPLIER = 0x9E37_79B9_7F4A_7C15L;

  private static final int LEAST_SLOTS = 16;

  private final long[] slots;
  private final int hashShift;
  private final boolean hasProtocols;
  private final boolean hasAnyProtocol;

  /**
   * @param rules all of the firewall
   * @param indexes places of those that this table is for, in ascending order
   */
  ExactRules(List<Rule> rules, int[] indexes) {
    int size = Math.max(LEAST_SLOTS, Integer.highestOneBit(Math.max(1, indexes.length)) * 4);
    slots = new long[size];
    hashShift = Long.SIZE - Integer.numberOfTrailingZeros(size);
    for (int index : indexes) {
      put(slotKey(rules.get(index)), index);
    }
    hasAnyProtocol = Arrays.stream(indexes).anyMatch(i -> rules.get(i).protocol() < 0);
    hasProtocols = Arrays.stream(indexes).anyMatch(i -> rules.get(i).protocol() >= 0);
  }

  private static long slotKey(Rule rule) {
    long source = rule.source().low();
    return rule.protocol() < 0 ? source | ANY_PROTOCOL : source | (long) rule.protocol() << 32;
  }

  private void put(long slotKey, int index) {
    int at = hash(slotKey);
    while (slots[at] != 0) {
      if (slots[at] >>> NUMBER_BITS == slotKey) {
        return;
      }
      at = (at + 1) & (slots.length - 1);
    }
    slots[at] = slotKey << NUMBER_BITS | (index + 1);
  }

  private int hash(long slotKey) {
    return (int) ((slotKey * MULTIPLIER) >>> hashShift);
  }

  /**
   * The lower of {@code other} and the first rule that matches.
   *
   * @param key see {@link RuleTable}
   */
  int lowest(long key, int other) {
    int lowest = other;
    if (hasProtocols) {
      lowest = Math.min(lowest, find(withProtocol(key), other));
    }
    if (hasAnyProtocol) {
      lowest = Math.min(lowest, find(withoutProtocol(key), other));
    }
    return lowest;
  }

  private static long withProtocol(long key) {
    return (key & SOURCE_MASK) | ((key >>> PROTOCOL_SHIFT) & PROTOCOL_MASK) << 32;
  }

  private static long withoutProtocol(long key) {
    return (key & SOURCE_MASK) | ANY_PROTOCOL;
  }

  private int find(long slotKey, int other) {
    return probe(slotKey, hash(slotKey), other);
  }

  private int probe(long slotKey, int start, int other) {
    int at = start;
    long slot = slots[at];
    while (slot != 0 && slot >>> NUMBER_BITS != slotKey) {
      at = (at + 1) & (slots.length - 1);
      slot = slots[at];
    }
    return slot == 0 ? other : (int) (slot & NUMBER_MASK) - 1;
  }

  /**
   * As {@link #lowest(long, int)} for the keys of many packets: the first slots of all are read
   * before one is looked at, so that they come from memory together.
   *
   * @param keys a negative one is left out
   * @param scratch room for as many
   * @param verdicts the other answers, which are replaced by lower ones
   */
  void lowest(long[] keys, int count, long[] scratch, int[] verdicts) {
    if (hasProtocols) {
      for (int i = 0; i < count; i++) {
        scratch[i] = slots[hash(withProtocol(keys[i])) & (slots.length - 1)];
      }
      for (int i = 0; i < count; i++) {
        settle(i, keys[i], withProtocol(keys[i]), scratch[i], verdicts);
      }
    }
    if (hasAnyProtocol) {
      for (int i = 0; i < count; i++) {
        scratch[i] = slots[hash(withoutProtocol(keys[i])) & (slots.length - 1)];
      }
      for (int i = 0; i < count; i++) {
        settle(i, keys[i], withoutProtocol(keys[i]), scratch[i], verdicts);
      }
    }
  }

  private void settle(int i, long key, long slotKey, long slot, int[] verdicts) {
    if (slot != 0 && key >= 0) {
      int found =
          slot >>> NUMBER_BITS == slotKey
              ? (int) (slot & NUMBER_MASK) - 1
              : probe(slotKey, hash(slotKey), verdicts[i]);
      verdicts[i] = Math.min(verdicts[i], found);
    }
  }
}
