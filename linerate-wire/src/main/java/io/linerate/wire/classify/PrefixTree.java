package io.linerate.wire.classify;

import io.linerate.wire.IpPrefix;
import io.linerate.wire.Ipv4Prefix;
import io.linerate.wire.Ipv6Prefix;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Comparator;
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
  /** Each prefix stands behind those around it. */
  private static final Comparator<IpPrefix> OUTER_FIRST =
      Comparator.comparing(PrefixTree::first, Long::compareUnsigned)
          .thenComparing(PrefixTree::firstLow, Long::compareUnsigned)
          .thenComparingInt(IpPrefix::bits);

  private final List<IpPrefix> prefixes;
  private final Map<IpPrefix, Integer> numbers = new HashMap<>();

  /** By number: that of the innermost prefix around it. */
  private final int[] parents;

  /** By number: the number behind the last one inside it. */
  private final int[] ends;

  /**
   * @param any all addresses of a version
   * @param some prefixes of that, in any order, as often as they like
   */
  PrefixTree(IpPrefix any, Stream<? extends IpPrefix> some) {
    prefixes = Stream.concat(Stream.of(any), some).distinct().sorted(OUTER_FIRST).toList();
    parents = new int[size()];
    ends = new int[size()];
    Arrays.fill(ends, size());
    Deque<Integer> around = new ArrayDeque<>();
    for (int i = 0; i < size(); i++) {
      IpPrefix prefix = prefixes.get(i);
      while (!around.isEmpty() && !prefixes.get(around.element()).contains(prefix)) {
        ends[around.pop()] = i;
      }
      numbers.put(prefix, i);
      parents[i] = around.isEmpty() ? 0 : around.element();
      around.push(i);
    }
  }

  /** Of the first address bytes 0 to 7, or all of IPv4. */
  private static long first(IpPrefix prefix) {
    return switch (prefix) {
      case Ipv4Prefix ipv4 -> Integer.toUnsignedLong(ipv4.address());
      case Ipv6Prefix ipv6 -> ipv6.high();
    };
  }

  /** Bytes 8 to 15. */
  private static long firstLow(IpPrefix prefix) {
    return prefix instanceof Ipv6Prefix ipv6 ? ipv6.low() : 0;
  }

  int size() {
    return prefixes.size();
  }

  /** The number of one of the prefixes. */
  int number(IpPrefix prefix) {
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
  AddressTable table(IntToLongFunction values) {
    return prefixes.getFirst() instanceof Ipv4Prefix
        ? new AddressTable.OfIpv4(ipv4Table(values))
        : new AddressTable.OfIpv6(prefixes, values);
  }

  /** As {@link #table}, of prefixes of IPv4. */
  Ipv4Table ipv4Table(IntToLongFunction values) {
    NavigableMap<Long, Long> ranges = new TreeMap<>();
    for (int i = 0; i < size(); i++) {
      Ipv4Prefix prefix = (Ipv4Prefix) prefixes.get(i);
      long start = first(prefix);
      ranges.putIfAbsent(
          start + (1L << (Integer.SIZE - prefix.bits())), values.applyAsLong(parents[i]));
      ranges.put(start, values.applyAsLong(i));
    }
    ranges.remove(1L << Integer.SIZE); // Behind the last address.
    return new Ipv4Table(
        ranges.keySet().stream().mapToLong(start -> start).toArray(),
        ranges.values().stream().mapToLong(value -> value).toArray());
  }
}
