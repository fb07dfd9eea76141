package io.linerate.graph.element;

import io.linerate.wire.Ipv4Address;
import io.linerate.wire.Ipv6Address;
import java.util.List;

/** A few IPv4 and IPv6 addresses, to look up those of packets in. */
final class AddressSet {
  private final int[] ipv4;
  private final long[] ipv6Highs;
  private final long[] ipv6Lows;

  private AddressSet(List<String> addresses) {
    ipv4 = addresses.stream().filter(text -> !isIpv6(text)).mapToInt(Ipv4Address::parse).toArray();
    List<Ipv6Address> six =
        addresses.stream().filter(AddressSet::isIpv6).map(Ipv6Address::parse).toList();
    ipv6Highs = six.stream().mapToLong(Ipv6Address::high).toArray();
    ipv6Lows = six.stream().mapToLong(Ipv6Address::low).toArray();
  }

  /**
   * @throws IllegalArgumentException if one cannot be read
   */
  static AddressSet of(List<String> addresses) {
    return new AddressSet(addresses);
  }

  /**
   * @throws IllegalArgumentException if it cannot be read
   */
  static void requireAddress(String text) {
    of(List.of(text));
  }

  static boolean isIpv6(String text) {
    return text.indexOf(':') >= 0;
  }

  boolean contains(int address) {
    for (int own : ipv4) {
      if (own == address) {
        return true;
      }
    }
    return false;
  }

  boolean contains(long high, long low) {
    for (int i = 0; i < ipv6Lows.length; i++) {
      if (ipv6Lows[i] == low && ipv6Highs[i] == high) {
        return true;
      }
    }
    return false;
  }
}
