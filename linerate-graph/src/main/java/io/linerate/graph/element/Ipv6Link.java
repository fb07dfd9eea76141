package io.linerate.graph.element;

import io.linerate.wire.Ipv6Address;
import java.util.List;

/** A link by the addresses that a host has on it, with the prefixes of their networks. */
final class Ipv6Link {
  /** fe80::/10, which every link has: RFC 4291, section 2.5.6. */
  private static final long LINK_LOCAL = 0xFE80L >>> 6;

  private final Ipv6Network[] networks;

  /**
   * @param addresses at least one, with its prefix
   */
  Ipv6Link(List<String> addresses) {
    networks = addresses.stream().map(Ipv6Network::parse).toArray(Ipv6Network[]::new);
  }

  /** The first of the host's addresses. */
  Ipv6Network own() {
    return networks[0];
  }

  boolean contains(long high, long low) {
    if (Ipv6Address.isLinkLocal(high)) {
      return true;
    }
    for (Ipv6Network network : networks) {
      if (network.contains(high, low)) {
        return true;
      }
    }
    return false;
  }

  /**
   * The first half of addresses of the link.
   *
   * @param prefix 1: fe80::, 2 and more: that of the first and further addresses; of others that of
   *     no link
   */
  long high(int prefix) {
    if (prefix == 1) {
      return LINK_LOCAL << 54;
    }
    return prefix - 2 >= 0 && prefix - 2 < networks.length ? networks[prefix - 2].high() : 0;
  }

  /** Whether an address is one of the host's. */
  boolean isOwn(long high, long low) {
    for (Ipv6Network network : networks) {
      if (network.low() == low && network.high() == high) {
        return true;
      }
    }
    return false;
  }
}
