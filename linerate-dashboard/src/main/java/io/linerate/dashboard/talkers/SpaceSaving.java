package io.linerate.dashboard.talkers;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The most frequent of any number of addresses, in bounded memory: Metwally, Agrawal and El Abbadi,
 * "Efficient Computation of Frequent and Top-k Elements in Data Streams" (2005). A newcomer takes
 * the place, and the count, of the least frequent: no count is too small, and one is too large by
 * at most all packets divided by the places.
 */
final class SpaceSaving {
  /** An address: of IPv4 with 0 as the first half. */
  record Address(long high, long low) {}

  /** How often an address was seen. */
  record Talker(Address address, long packets, long bytes) {}

  private final int places;
  private final Map<Address, Count> counts = new HashMap<>();

  private static final class Count {
    long packets;
    long bytes;
  }

  SpaceSaving(int places) {
    this.places = places;
  }

  void add(Address address, long packets, long bytes) {
    Count count = counts.get(address);
    if (count == null) {
      count = counts.size() < places ? new Count() : leastFrequent();
      counts.put(address, count);
    }
    count.packets += packets;
    count.bytes += bytes;
  }

  /** Loses the least frequent, and returns its count. */
  private Count leastFrequent() {
    Address least = null;
    for (Map.Entry<Address, Count> entry : counts.entrySet()) {
      if (least == null || entry.getValue().packets < count(least).packets) {
        least = entry.getKey();
      }
    }
    return Objects.requireNonNull(counts.remove(least));
  }

  private Count count(Address address) {
    return counts.getOrDefault(address, new Count());
  }

  /** The most frequent, first. */
  List<Talker> top(int most) {
    List<Talker> talkers = new ArrayList<>();
    counts.forEach(
        (address, count) -> talkers.add(new Talker(address, count.packets, count.bytes)));
    talkers.sort(Comparator.comparingLong(Talker::packets).reversed());
    return talkers.subList(0, Math.min(most, talkers.size()));
  }
}
