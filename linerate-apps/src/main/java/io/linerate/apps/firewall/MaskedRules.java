package io.linerate.apps.firewall;

/**
 * IPv4 rules with prefixes, 64 of them at a time: the first one that matches.
 *
 * <p>For each byte of the source and for the protocol there is a table that says, by the byte's
 * value, which rules agree with it, a bit for each. The rules that match are those in which all
 * five agree: five reads from the processor's nearest cache and four ANDs, where comparing rule by
 * rule takes as many steps as there are rules. Lakshman and Stiliadis, "High-Speed Policy-based
 * Packet Forwarding Using Efficient Multi-dimensional Range Matching", SIGCOMM 1998, section 4,
 * with bytes for ranges.
 *
 * <pre>
 *   a block of tables, one for each 64 rules:
 *   0 first byte of the source | 256 second | 512 third | 768 fourth | 1024 protocol | 1280 … 2047 unused
 * </pre>
 *
 * Immutable, shared by all workers.
 */
final class MaskedRules implements RuleMatcher {
  private static final int VALUES = 256;
  private static final int BYTE = VALUES - 1;
  private static final int BLOCK = 8 * VALUES;
  private static final int[] SHIFTS = {24, 16, 8, 0, RuleTable.PROTOCOL_SHIFT};

  private final int[] indexes;
  private final int noMatch;

  /** Its length is a power of two, which spares each read a comparison. */
  private final long[] tables;

  private final int end;

  /**
   * Rules in the form of {@link RuleTable}'s keys.
   *
   * @param masks bits of a key that a rule looks at
   * @param values what they have to be
   * @param indexes places of the rules, in ascending order
   * @param noMatch the answer when no rule matches
   */
  MaskedRules(long[] masks, long[] values, int[] indexes, int noMatch) {
    this.indexes = indexes;
    this.noMatch = noMatch;
    int blocks = Math.max(1, (masks.length + Long.SIZE - 1) / Long.SIZE);
    end = blocks * BLOCK;
    tables = new long[Integer.highestOneBit(2 * end - 1)];
    for (int rule = 0; rule < masks.length; rule++) {
      int block = rule / Long.SIZE * BLOCK;
      for (int column = 0; column < SHIFTS.length; column++) {
        int mask = (int) (masks[rule] >>> SHIFTS[column]) & BYTE;
        int wanted = (int) (values[rule] >>> SHIFTS[column]) & BYTE;
        for (int value = 0; value < VALUES; value++) {
          if ((value & mask) == wanted) {
            tables[block + column * VALUES + value] |= 1L << rule;
          }
        }
      }
    }
  }

  boolean isOneBlock() {
    return end == BLOCK;
  }

  @Override
  public int match(long word) {
    long matches = matches(tables, 0, word);
    return matches != 0 ? indexes[Long.numberOfTrailingZeros(matches)] : matchLater(word);
  }

  @Override
  public void match(long[] keys, int count, int[] verdicts) {
    long[] own = tables;
    for (int i = 0; i < count; i++) {
      long key = keys[i];
      if (key >= 0) {
        long matches = matches(own, 0, key);
        verdicts[i] = matches != 0 ? indexes[Long.numberOfTrailingZeros(matches)] : matchLater(key);
      }
    }
  }

  private int matchLater(long key) {
    for (int block = BLOCK; block < end; block += BLOCK) {
      long matches = matches(tables, block, key);
      if (matches != 0) {
        return indexes[block / BLOCK * Long.SIZE + Long.numberOfTrailingZeros(matches)];
      }
    }
    return noMatch;
  }

  /** Those of 64 rules that match, a bit for each. */
  private static long matches(long[] tables, int block, long key) {
    int last = tables.length - 1;
    return tables[(block + ((int) (key >>> 24) & BYTE)) & last]
        & tables[(block + VALUES + ((int) (key >>> 16) & BYTE)) & last]
        & tables[(block + 2 * VALUES + ((int) (key >>> 8) & BYTE)) & last]
        & tables[(block + 3 * VALUES + ((int) key & BYTE)) & last]
        & tables[(block + 4 * VALUES + ((int) (key >>> RuleTable.PROTOCOL_SHIFT) & BYTE)) & last];
  }
}
