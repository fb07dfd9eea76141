package io.linerate.middlebox.route;

import io.linerate.wire.IpPrefix;
import io.linerate.wire.Ipv4Address;
import io.linerate.wire.Ipv4Prefix;
import io.linerate.wire.Ipv6Address;
import io.linerate.wire.Ipv6Prefix;
import java.util.ArrayList;
import java.util.List;

/**
 * A link of a router.
 *
 * @param name as routes call it
 * @param addresses the router's own there, with the lengths of their prefixes: one of IPv4 at most,
 *     any number of IPv6
 */
public record RouterLink(String name, List<String> addresses) {
  /**
   * @throws IllegalArgumentException if an address is none, has no prefix, or is not a host's
   */
  public RouterLink {
    addresses = List.copyOf(addresses);
    for (String address : addresses) {
      if (address.indexOf('/') < 0) {
        throw new IllegalArgumentException(
            "address without a prefix: link=%s, address=%s; write one such as 192.0.2.1/24"
                .formatted(name, address));
      }
      IpPrefix prefix = IpPrefix.parse(address);
      IpPrefix host = host(address);
      boolean isHost = !(host instanceof Ipv4Prefix ipv4) || Ipv4Address.isHost(ipv4.address());
      if (!isHost || noHosts(prefix).contains(host)) {
        throw new IllegalArgumentException(
            "address is no host's: link=%s, address=%s; write one of a host, which that of a network is not, nor that of all in it"
                .formatted(name, address));
      }
    }
  }

  private static IpPrefix host(String address) {
    return IpPrefix.parse(address.substring(0, address.indexOf('/')));
  }

  List<IpPrefix> prefixes() {
    return addresses.stream().map(IpPrefix::parse).toList();
  }

  /** Those of the router alone. */
  List<IpPrefix> hosts() {
    return addresses.stream().map(RouterLink::host).toList();
  }

  /** The addresses that mean all hosts: links of two have none (RFC 3021). */
  List<IpPrefix> broadcasts() {
    List<IpPrefix> broadcasts = new ArrayList<>();
    for (IpPrefix prefix : prefixes()) {
      if (prefix instanceof Ipv4Prefix ipv4 && ipv4.bits() < Integer.SIZE - 1) {
        broadcasts.add(broadcast(ipv4));
      }
    }
    return broadcasts;
  }

  private static IpPrefix broadcast(Ipv4Prefix prefix) {
    return Ipv4Prefix.of(prefix.address() | (-1 >>> prefix.bits()), Integer.SIZE);
  }

  /**
   * The addresses of a network that no host has: those of the network and of all hosts in it, of
   * IPv6 that of any router there (RFC 4291, section 2.6.1). Networks of one or two have none (RFC
   * 3021, RFC 6164).
   */
  private static List<IpPrefix> noHosts(IpPrefix prefix) {
    return switch (prefix) {
      case Ipv4Prefix ipv4 when ipv4.bits() < Integer.SIZE - 1 ->
          List.of(Ipv4Prefix.of(ipv4.address(), Integer.SIZE), broadcast(ipv4));
      case Ipv6Prefix ipv6 when ipv6.bits() < 2 * Long.SIZE - 1 ->
          List.of(Ipv6Prefix.of(ipv6.high(), ipv6.low(), 2 * Long.SIZE));
      default -> List.of();
    };
  }

  /** Whether an address may be another host's on the link. */
  public boolean hasRoomFor(IpPrefix address) {
    return contains(address)
        && !hosts().contains(address)
        && prefixes().stream().noneMatch(prefix -> noHosts(prefix).contains(address));
  }

  /**
   * How the input {@code via} of NeighborDiscovery calls the first half of an address: 1 for
   * fe80::, 2 and more for those of the addresses.
   *
   * @return -1 if it calls it nothing
   */
  int prefixNumber(long high) {
    if (high == 0xFE80_0000_0000_0000L) {
      return 1;
    }
    int number = 2;
    for (IpPrefix host : hosts()) {
      if (host instanceof Ipv6Prefix ipv6) {
        if (ipv6.high() == high) {
          return number;
        }
        number++;
      }
    }
    return -1;
  }

  /** Whether an address is on the link. */
  boolean contains(IpPrefix address) {
    boolean isLinkLocal =
        address instanceof Ipv6Prefix ipv6 && Ipv6Address.isLinkLocal(ipv6.high());
    return isLinkLocal || prefixes().stream().anyMatch(prefix -> prefix.contains(address));
  }

  /** Its own address of IPv4, without the prefix; "" if it has none. */
  public String ipv4() {
    return own(Ipv4Prefix.class);
  }

  /** Its first own address of IPv6, without the prefix; "" if it has none. */
  public String ipv6() {
    return own(Ipv6Prefix.class);
  }

  private String own(Class<? extends IpPrefix> version) {
    return addresses.stream()
        .map(address -> address.substring(0, address.indexOf('/')))
        .filter(address -> version.isInstance(IpPrefix.parse(address)))
        .findFirst()
        .orElse("");
  }
}
