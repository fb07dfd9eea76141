package io.linerate.middlebox.route;

import io.linerate.middlebox.route.RoutingTable.HopGroup;
import org.jspecify.annotations.Nullable;

/** Addresses of a burst's packets, whose hops are found together. One worker's own. */
final class Lookups {
  private final RoutingTable table;
  private final int[] ipv4;
  private final long[] high;
  private final long[] low;
  private final int[] numbers4;
  private final int[] numbers6;
  private int count4;
  private int count6;
  private int next4;
  private int next6;

  /**
   * @param capacity addresses at most, of each version
   */
  Lookups(RoutingTable table, int capacity) {
    this.table = table;
    ipv4 = new int[capacity];
    high = new long[capacity];
    low = new long[capacity];
    numbers4 = new int[capacity];
    numbers6 = new int[capacity];
  }

  void clear() {
    count4 = 0;
    count6 = 0;
    next4 = 0;
    next6 = 0;
  }

  void add(int address) {
    ipv4[count4++] = address;
  }

  void add(long addressHigh, long addressLow) {
    high[count6] = addressHigh;
    low[count6++] = addressLow;
  }

  /** Finds the hops of all that were added. */
  void find() {
    table.lookUp(ipv4, numbers4, count4);
    table.lookUp(high, low, numbers6, count6);
  }

  /** The hops of the next address of IPv4, in the order in which they were added. */
  @Nullable HopGroup nextIpv4() {
    return table.group(numbers4[next4++]);
  }

  /** The address whose hops were asked for last. */
  int lastIpv4() {
    return ipv4[next4 - 1];
  }

  /** As {@link #nextIpv4}, of IPv6. */
  @Nullable HopGroup nextIpv6() {
    return table.group(numbers6[next6++]);
  }

  /** Bytes 0 to 7 of the address whose hops were asked for last. */
  long lastIpv6() {
    return high[next6 - 1];
  }
}
