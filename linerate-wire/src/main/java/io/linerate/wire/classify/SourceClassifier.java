package io.linerate.wire.classify;

import io.linerate.wire.Ipv4Prefix;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The first of many rules that matches a packet's IPv4 source and its protocol. Which one that is
 * was found out when the tables were made, so that a packet costs about the same for 20 rules as
 * for 100,000.
 *
 * <p>The sources fall into ranges in which the same rules match. A range has a row, and each
 * protocol that rules name a column, beside one for all others: there stands the number of the
 * first rule that matches. Ranges with the same answers share their row. See {@link Ipv4Table} for
 * how a source finds its row: up to four numbers below 65,536, or two of any, are one word there;
 * others stand in a table of their own.
 *
 * <p>A key has the layout of the eight bytes of an IPv4 header from TTL to source (RFC 791, section
 * 3.1), so that one read makes it. What is neither protocol nor source may be anything, but that in
 * keys of many packets the first bit marks those whose answer is known:
 *
 * <pre>
 *  | TTL | protocol | checksum | source          |
 *  63    55         47         31                0
 * </pre>
 *
 * Immutable: any thread.
 */
public final class SourceClassifier {
  /** How far a protocol stands to the left in a key. */
  public static final int PROTOCOL_SHIFT = 48;

  private static final int PROTOCOLS = 256;

  /** The row of a source, if it is packed; else where it begins in {@link #firsts}. */
  private final Ipv4Table rows;

  /** Bits of a number in a packed row, 16 or 32; 0 if rows are not packed. */
  private final int packedBits;

  /** As many ones. */
  private final int packedMask;

  /** By protocol: by how many bits its number is shifted to the left in a row, or its place. */
  private final int[] columns = new int[PROTOCOLS];

  /** Row by row, if they are not packed. Its length is a power of two, see {@link Ipv4Table}. */
  private final int[] firsts;

  /**
   * @param rules in any order
   * @param noMatch the answer when none matches: no rule's number
   * @throws IllegalArgumentException if it is one
   */
  public SourceClassifier(List<SourceRule> rules, int noMatch) {
    rules.forEach(rule -> requireOther(rule.number(), noMatch));
    int width = nameColumns(rules);
    PrefixTree tree = new PrefixTree(Ipv4Prefix.ANY, rules.stream().map(SourceRule::source));
    List<IntBuffer> all = rows(tree, rules, width, noMatch);
    packedBits = packedBits(width, rules, noMatch);
    packedMask = packedBits == Character.SIZE ? Character.MAX_VALUE : -1;
    if (packedBits > 0) {
      firsts = new int[1];
      Arrays.setAll(columns, protocol -> columns[protocol] * packedBits);
      rows = tree.ipv4Table(i -> packed(all.get(i)));
    } else {
      Map<IntBuffer, Integer> places = new HashMap<>();
      all.forEach(row -> places.putIfAbsent(row, places.size() * width));
      firsts = new int[Integer.highestOneBit(2 * places.size() * width - 1)];
      places.forEach((row, place) -> row.get(0, firsts, place, width));
      rows = tree.ipv4Table(i -> places.getOrDefault(all.get(i), 0));
    }
  }

  static void requireOther(int number, int noMatch) {
    if (number == noMatch) {
      throw new IllegalArgumentException(
          "a rule has the number of none: number=%d; give another".formatted(number));
    }
  }

  private static int packedBits(int width, List<SourceRule> rules, int noMatch) {
    boolean areShort = isShort(noMatch) && rules.stream().allMatch(rule -> isShort(rule.number()));
    int bits = areShort ? Character.SIZE : Integer.SIZE;
    return width * bits <= Long.SIZE ? bits : 0;
  }

  private static boolean isShort(int number) {
    return number == (char) number;
  }

  private long packed(IntBuffer row) {
    long packed = 0;
    for (int column = 0; column < row.capacity(); column++) {
      packed |= Integer.toUnsignedLong(row.get(column)) << (column * packedBits);
    }
    return packed;
  }

  /** Returns how many there are. The first is for the protocols that no rule names. */
  private int nameColumns(List<SourceRule> rules) {
    int width = 1;
    for (SourceRule rule : rules) {
      if (rule.protocol() >= 0 && columns[rule.protocol()] == 0) {
        columns[rule.protocol()] = width++;
      }
    }
    return width;
  }

  /**
   * By the numbers of prefixes: the first rule in each column for what lies in no prefix inside.
   */
  private List<IntBuffer> rows(PrefixTree tree, List<SourceRule> rules, int width, int noMatch) {
    int[] none = new int[width];
    Arrays.fill(none, noMatch);
    Map<Integer, List<SourceRule>> byPrefix =
        rules.stream().collect(Collectors.groupingBy(rule -> tree.number(rule.source())));
    List<IntBuffer> rows = new ArrayList<>();
    for (int i = 0; i < tree.size(); i++) {
      int[] row = i == 0 ? none : rows.get(tree.parent(i)).array().clone();
      byPrefix.getOrDefault(i, List.of()).forEach(rule -> enter(rule, row, noMatch));
      rows.add(IntBuffer.wrap(row));
    }
    return rows;
  }

  private void enter(SourceRule rule, int[] row, int noMatch) {
    for (int column = 0; column < row.length; column++) {
      boolean isMeant = rule.protocol() < 0 || columns[rule.protocol()] == column;
      if (isMeant && (row[column] == noMatch || rule.number() < row[column])) {
        row[column] = rule.number();
      }
    }
  }

  /** The number of the first rule that matches a key. */
  public int match(long key) {
    return packedBits > 0 ? matchPacked(key) : matchInTable(key);
  }

  private int matchPacked(long key) {
    return (int) (rows.get((int) key) >>> column(key)) & packedMask;
  }

  private int matchInTable(long key) {
    return firsts[((int) rows.get((int) key) + column(key)) & (firsts.length - 1)];
  }

  private int column(long key) {
    return columns[(int) (key >>> PROTOCOL_SHIFT) & (PROTOCOLS - 1)];
  }

  /**
   * As {@link #match(long)} for many keys.
   *
   * @param keys negative ones have their answer in their lower half
   * @param count how many of them
   * @param numbers where the answers go
   */
  public void match(long[] keys, int count, int[] numbers) {
    // What is done for each key stands in these loops, or one call away: of calls that are made
    // further down the compiler may not know yet, when it compiles the loops, how often they are
    // made, and leaves them calls, in some virtual machines.
    for (int i = 0; i < count; i++) {
      numbers[i] = rows.lowest((int) keys[i]);
    }
    if (packedBits > 0) {
      for (int i = 0; i < count; i++) {
        long key = keys[i];
        int column = columns[(int) (key >>> PROTOCOL_SHIFT) & (PROTOCOLS - 1)];
        int number = (int) (rows.value((int) key, numbers[i]) >>> column) & packedMask;
        numbers[i] = key >= 0 ? number : (int) key;
      }
    } else {
      for (int i = 0; i < count; i++) {
        long key = keys[i];
        int column = columns[(int) (key >>> PROTOCOL_SHIFT) & (PROTOCOLS - 1)];
        int place = (int) rows.value((int) key, numbers[i]) + column;
        numbers[i] = key >= 0 ? firsts[place & (firsts.length - 1)] : (int) key;
      }
    }
  }

  /** How many bytes the tables have. */
  public long bytes() {
    return rows.bytes() + (long) (firsts.length + columns.length) * Integer.BYTES;
  }
}
