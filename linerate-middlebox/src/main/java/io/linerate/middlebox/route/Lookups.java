package io.linerate.middlebox.route;

import io.linerate.core.memory.Burst;
import io.linerate.core.memory.Packet;
import io.linerate.middlebox.route.RoutingTable.HopGroup;
import io.linerate.wire.PlainIpv4;
import io.linerate.wire.PlainIpv6;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The routes of a burst's packets of IPv4 without options and of IPv6, found together. One worker's
 * own.
 */
final class Lookups implements Consumer<Packet> {
  /** What is found for a packet that has another form, or no route. */
  private static final int NONE = -1;

  /** Beside the number of the hops of a packet of IPv6. */
  private static final int IPV6_BIT = 30;

  private static final int IS_IPV6 = 1 << IPV6_BIT;

  private final RoutingTable table;
  private @Nullable HopGroup[] groups;
  private final boolean ofSources;

  // By a packet's place in the burst.
  private final int[] ipv4;
  private final int[] found;

  // Of packets of IPv6.
  private final int[] places6;
  private final long[] high;
  private final long[] low;
  private final int[] found6;
  private int count6;

  // Of all others.
  private final int[] places;
  private int others;
  private boolean hasIpv4;
  private boolean hasOthers;

  /**
   * @param ofSources whether it is their sources that are looked up, not their destinations
   * @param capacity packets of a burst at most
   */
  Lookups(RoutingTable table, boolean ofSources, int capacity) {
    this.table = table;
    groups = table.groups();
    this.ofSources = ofSources;
    ipv4 = new int[capacity];
    found = new int[capacity];
    places6 = new int[capacity];
    high = new long[capacity];
    low = new long[capacity];
    found6 = new int[capacity];
    places = new int[capacity];
  }

  /** Finds the routes of a burst. */
  void find(Burst burst) {
    count6 = 0;
    others = 0;
    burst.forEach(this);
    int size = burst.size();
    hasIpv4 = count6 + others < size;
    if (hasIpv4) {
      table.lookUp(ipv4, found, size);
    }
    hasOthers = count6 + others > 0;
    if (hasOthers) {
      findOthers();
    }
    groups = table.groups();
  }

  /** Apart, as all that is not for every burst: see docs/hot-path.md. */
  private void findOthers() {
    table.lookUp(high, low, found6, count6);
    for (int i = 0; i < count6; i++) {
      found[places6[i]] = found6[i] < 0 ? NONE : found6[i] | IS_IPV6;
    }
    for (int i = 0; i < others; i++) {
      found[places[i]] = NONE;
    }
  }

  /** Notes where to it goes, or where from. */
  @Override
  public void accept(Packet packet) {
    if (PlainIpv4.is(packet)) {
      ipv4[packet.index()] = ofSources ? PlainIpv4.source(packet) : PlainIpv4.destination(packet);
    } else if (PlainIpv6.hasHeader(packet)) {
      int at = count6++;
      places6[at] = packet.index();
      high[at] = ofSources ? PlainIpv6.sourceHigh(packet) : PlainIpv6.destinationHigh(packet);
      low[at] = ofSources ? PlainIpv6.sourceLow(packet) : PlainIpv6.destinationLow(packet);
    } else {
      places[others++] = packet.index();
    }
  }

  /** Whether a route was found for the packet at a place, and it is of IPv4. */
  boolean isIpv4(int place) {
    return found[place] >>> IPV6_BIT == 0;
  }

  /** As {@link #isIpv4}, of IPv6. */
  boolean isIpv6(int place) {
    return found[place] >>> IPV6_BIT == 1;
  }

  /** The hops of the packet at a place, for which a route was found. */
  @Nullable HopGroup hops(int place) {
    return groups[found[place] & ~IS_IPV6];
  }

  /** The packet at a place cannot leave by its route alone: it is one of the others now. */
  void forget(int place) {
    hasOthers = true;
    if (isIpv4(place)) {
      found[place] = NONE;
    }
  }

  /** Whether there may be packets that are {@link #isIpv4}. */
  boolean hasIpv4() {
    return hasIpv4;
  }

  /** Whether there are packets that are not {@link #isIpv4}. */
  boolean hasOthers() {
    return hasOthers;
  }
}
