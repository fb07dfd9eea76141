package io.linerate.dashboard.talkers;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The most frequent of any number of addresses, in bounded memory: Metwally, Agrawal and El Abbadi,
 * "Efficient Computation of Frequent and Top-k Elements in Data Streams" (2005). A newcomer takes
 * the place, and the count, of the least frequent: no count is too small, and one is too large by
 * at most all packets divided by the places.
 *
 * <p>Counts are in a binary heap, the smallest on top, so that the least frequent is known: an
 * address costs a look into a table and as many steps as the heap is high, whoever sends what.
 */
final class SpaceSaving {
  /**
   * An address.
   *
   * @param version of IP
   * @param high of IPv4: 0
   */
  record Address(int version, long high, long low) {}

  /** How often an address was seen. */
  record Talker(Address address, long packets, long bytes) {}

  private final Count[] heap;
  private final Map<Address, Count> counts = new HashMap<>();
  private int size;

  /** Counts that changed places in the heap, since the start. */
  private long moves;

  private static final class Count {
    Address address;
    long packets;
    long bytes;

    /** In the heap. */
    int place;

    Count(Address address, int place) {
      this.address = address;
      this.place = place;
    }
  }

  SpaceSaving(int places) {
    heap = new Count[places];
  }

  void add(Address address, long packets, long bytes) {
    Count count = counts.get(address);
    if (count == null) {
      count = size < heap.length ? another(address) : replaced(address);
      counts.put(address, count);
    }
    count.packets += packets;
    count.bytes += bytes;
    sink(count);
  }

  /** A count of 0: the place under all others becomes the top. */
  private Count another(Address address) {
    Count fresh = new Count(address, size++);
    int place = fresh.place;
    while (place > 0 && heap[(place - 1) / 2].packets > 0) {
      put(heap[(place - 1) / 2], place);
      place = (place - 1) / 2;
    }
    put(fresh, place);
    return fresh;
  }

  /** The count of the least frequent, for another address. */
  private Count replaced(Address address) {
    Count least = heap[0];
    counts.remove(least.address);
    least.address = address;
    return least;
  }

  /** Brings a count that has grown below those that are smaller now. */
  private void sink(Count count) {
    int place = count.place;
    while (true) {
      int child = 2 * place + 1;
      if (child + 1 < size && heap[child + 1].packets < heap[child].packets) {
        child++;
      }
      if (child >= size || heap[child].packets >= count.packets) {
        put(count, place);
        return;
      }
      put(heap[child], place);
      place = child;
    }
  }

  private void put(Count count, int place) {
    heap[place] = count;
    count.place = place;
    moves++;
  }

  /** Who is replaced next, when all places are taken. */
  Address least() {
    return heap[0].address;
  }

  long moves() {
    return moves;
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
