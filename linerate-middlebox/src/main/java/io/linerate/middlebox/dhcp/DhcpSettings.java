package io.linerate.middlebox.dhcp;

import io.linerate.wire.IpPrefix;
import io.linerate.wire.Ipv4Address;
import io.linerate.wire.Ipv4Prefix;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What a DHCP server gives to clients.
 *
 * @param address the server's own, with the prefix of the link: 10.0.0.1/24; clients' router, too
 * @param first the first address that clients get
 * @param last the last; 65,536 at most
 * @param dns servers of names, 3 at most; none: clients are not told any
 * @param lease how long an address is a client's unless it asks again, a minute to a year
 */
public record DhcpSettings(
    String address, String first, String last, List<String> dns, Duration lease) {
  /** Addresses at most. */
  static final int MOST = 65_536;

  private static final int MOST_DNS = 3;

  private static final Duration SHORTEST = Duration.ofMinutes(1);
  private static final Duration LONGEST = Duration.ofDays(365);

  /** Copies what it is given. */
  public DhcpSettings {
    dns = List.copyOf(dns);
  }

  /** With a lease of an hour. */
  public static DhcpSettings of(String address, String first, String last, List<String> dns) {
    return new DhcpSettings(address, first, last, dns, Duration.ofHours(1));
  }

  /** What is wrong with them: sentences. */
  List<String> problems() {
    List<String> problems = new ArrayList<>();
    try {
      boolean isPrefix =
          IpPrefix.parse(address) instanceof Ipv4Prefix prefix
              && address.indexOf('/') > 0
              && prefix.contains(IpPrefix.parse(first))
              && prefix.contains(IpPrefix.parse(last));
      long count =
          Integer.toUnsignedLong(lastAddress()) - Integer.toUnsignedLong(firstAddress()) + 1;
      boolean isWrong =
          !isPrefix || isIn(own()) || isOfAll(firstAddress()) || isOfAll(lastAddress());
      if (isWrong || count < 1 || count > MOST) {
        problems.add(
            "wrong range of addresses: address=%s, first=%s, last=%s; write 1 to %d addresses of the server's network without its own, that of the network and that of all, such as 10.0.0.1/24, 10.0.0.100, 10.0.0.199"
                .formatted(address, first, last, MOST));
      }
    } catch (IllegalArgumentException e) {
      problems.add(e.getMessage());
    }
    try {
      dns.forEach(server -> {
        int _ = Ipv4Address.parse(server);
      });
    } catch (IllegalArgumentException e) {
      problems.add("dns: " + e.getMessage());
    }
    if (dns.size() > MOST_DNS) {
      problems.add("too many servers of names: dns=" + dns + "; write " + MOST_DNS + " at most");
    }
    if (lease.compareTo(SHORTEST) < 0 || lease.compareTo(LONGEST) > 0) {
      problems.add("wrong lease: lease=" + lease + "; write a minute to a year");
    }
    return problems;
  }

  private boolean isIn(int some) {
    return Integer.compareUnsigned(some, firstAddress()) >= 0
        && Integer.compareUnsigned(some, lastAddress()) <= 0;
  }

  /** Whether it is that of the network or of all its hosts, which none of them has. */
  private boolean isOfAll(int some) {
    int host = some & ~mask();
    return ~mask() > 1 && (host == 0 || host == ~mask());
  }

  int own() {
    return Ipv4Address.parse(address.substring(0, address.indexOf('/')));
  }

  int mask() {
    int bits = Integer.parseInt(address.substring(address.indexOf('/') + 1));
    return bits == 0 ? 0 : -1 << (Integer.SIZE - bits);
  }

  int firstAddress() {
    return Ipv4Address.parse(first);
  }

  int lastAddress() {
    return Ipv4Address.parse(last);
  }
}
