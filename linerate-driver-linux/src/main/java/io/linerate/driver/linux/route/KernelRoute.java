package io.linerate.driver.linux.route;

import java.util.List;

/**
 * A route of the kernel, or the news that it is gone.
 *
 * @param isGone whether it was removed
 * @param version of IP, 4 or 6
 * @param destination the address of the prefix, 4 or 16 bytes
 * @param bits of the prefix
 * @param kind what becomes of packets
 * @param metric the lower one of two routes to the same prefix counts; 0 if it has none
 * @param isOfKernel whether the kernel made it itself, as for the network of an address
 * @param hops where packets go next: of {@link Kind#UNICAST} one or more
 */
public record KernelRoute(
    boolean isGone,
    int version,
    List<Byte> destination,
    int bits,
    Kind kind,
    long metric,
    boolean isOfKernel,
    List<Hop> hops) {
  /** What becomes of packets: {@code RTN_UNICAST} and others of rtnetlink(7). */
  public enum Kind {
    UNICAST,
    LOCAL,
    BLACKHOLE,
    UNREACHABLE,
    PROHIBIT,
    /** Broadcasts, groups and what else there is. */
    OTHER
  }

  /**
   * Where packets go next.
   *
   * @param gateway the next router, 4 or 16 bytes; empty: their destination
   * @param interfaceIndex of the interface, 1 or more
   * @param weight beside the others
   */
  public record Hop(List<Byte> gateway, int interfaceIndex, int weight) {}
}
