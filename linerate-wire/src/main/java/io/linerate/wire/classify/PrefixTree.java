package io.linerate.wire.classify;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.IntToLongFunction;
import java.util.stream.Stream;

/**
 * Which prefixes lie inside which others. Each has a number, behind those of the prefixes around
 * it, so that those inside it follow it without a gap. Number 0 is that of all addresses.
 */
final class PrefixTree {
  private final List<Ipv4Prefix> prefixes;
  private final Map<Ipv4Prefix, Integer> numbers = new HashMap<>();

  /** By number: that of the innermost prefix around it. */
  private final int[] parents;

  /** By number: the number behind the last one inside it. */
  private final int[] ends;

  /**
   * @param some prefixes, in any order, as often as they like
   */
  PrefixTree(Stream<Ipv4Prefix> some) {
    prefixes =
        Stream.concat(Stream.of(Ipv4Prefix.ANY), some)
            .distinct()
            .sorted(Ipv4Prefix.OUTER_FIRST)
            .toList();
    parents = new int[size()];
    ends = new int[size()];
    Arrays.fill(ends, size());
    Deque<Integer> around = new ArrayDeque<>();
    for (int i = 0; i < size(); i++) {
      Ipv4Prefix prefix = prefixes.get(i);
      while (!around.isEmpty() && !prefixes.get(around.element()).contains(prefix)) {
        ends[around.pop()] = i;
      }
      numbers.put(prefix, i);
      parents[i] = around.isEmpty() ? 0 : around.element();
      around.push(i);
    }
  }

  int size() {
    return prefixes.size();
  }

  /** The number of one of the prefixes. */
  int number(Ipv4Prefix prefix) {
    return numbers.getOrDefault(prefix, -1);
  }

  /** The number of the innermost prefix around another; 0 for that of all addresses. */
  int parent(int number) {
    return parents[number];
  }

  /** The number behind the last prefix inside one. */
  int end(int number) {
    return ends[number];
  }

  /**
   * A table of addresses.
   *
   * @param values for each number what its addresses have, but those of prefixes inside it
   */
  Ipv4Table table(IntToLongFunction values) {
    NavigableMap<Long, Long> ranges = new TreeMap<>();
    for (int i = 0; i < size(); i++) {
      Ipv4Prefix prefix = prefixes.get(i);
      ranges.putIfAbsent(prefix.end(), values.applyAsLong(parents[i]));
      ranges.put(prefix.start(), values.applyAsLong(i));
    }
    ranges.remove(Ipv4Prefix.ANY.end());
    return new Ipv4Table(
        ranges.keySet().stream().mapToLong(start -> start).toArray(),
        ranges.values().stream().mapToLong(value -> value).toArray());
  }
}
