package io.linerate.middlebox.route;

import io.linerate.wire.Ipv4Address;
import io.linerate.wire.Ipv6Address;

/**
 * Where packets of a route go next.
 *
 * @param kind what becomes of them
 * @param link number of the router's link, from 0; -1 where they leave by none
 * @param version of the address of the next router: 4, 6; 0: none, they go to their destination
 * @param high bytes 0 to 7 of an IPv6 address; 0 for IPv4
 * @param low bytes 8 to 15, or the 32 bits of an IPv4 address
 * @param weight its part beside the route's other hops, 1 to 255
 */
public record Hop(Kind kind, int link, int version, long high, long low, int weight) {
  /** Largest weight. */
  public static final int MAX_WEIGHT = 255;

  /** What becomes of packets of a route. */
  public enum Kind {
    /** They leave by a link. */
    FORWARD,
    /** They are for the router itself. */
    LOCAL,
    /** They are dropped; nobody is told. */
    BLACKHOLE,
    /** Their senders are told that there is no way. */
    UNREACHABLE,
    /** Their senders are told that it is prohibited. */
    PROHIBIT
  }

  /**
   * @throws IllegalArgumentException if a number is out of range
   */
  public Hop {
    boolean isForward = kind == Kind.FORWARD;
    if (weight < 1 || weight > MAX_WEIGHT || isForward != link >= 0) {
      throw new IllegalArgumentException(
          "no such hop: kind=%s, link=%d, weight=%d; write links of the router, and weights of 1 to %d"
              .formatted(kind, link, weight, MAX_WEIGHT));
    }
  }

  /** To destinations on a link. */
  public static Hop onLink(int link) {
    return new Hop(Kind.FORWARD, link, 0, 0, 0, 1);
  }

  /** By a router on a link. */
  public static Hop via(int link, int address) {
    return new Hop(Kind.FORWARD, link, 4, 0, Integer.toUnsignedLong(address), 1);
  }

  /** By a router on a link. */
  public static Hop via(int link, Ipv6Address address) {
    return new Hop(Kind.FORWARD, link, 6, address.high(), address.low(), 1);
  }

  /** By no link. */
  public static Hop of(Kind kind) {
    return new Hop(kind, -1, 0, 0, 0, 1);
  }

  /** With another weight. */
  public Hop withWeight(int other) {
    return new Hop(kind, link, version, high, low, other);
  }

  /** The address of the next router, as one writes it; "" without one. */
  public String address() {
    return switch (version) {
      case 4 -> Ipv4Address.format((int) low);
      case 6 -> Ipv6Address.format(high, low);
      default -> "";
    };
  }
}
