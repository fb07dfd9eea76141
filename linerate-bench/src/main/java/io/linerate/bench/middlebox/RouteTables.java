package io.linerate.bench.middlebox;

import io.linerate.wire.IpPrefix;
import io.linerate.wire.Ipv4Prefix;
import io.linerate.wire.Ipv6Prefix;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * Tables of routes whose prefixes are as long as those that the routers of the Internet tell each
 * other (BGP): six of ten have 24 bits of IPv4, nearly half have 48 of IPv6. Always the same.
 */
final class RouteTables {
  /** Next hops, from 0 on. */
  static final int HOPS = 16;

  /** Where the hops are, in IPv4. */
  private static final IpPrefix LINK = IpPrefix.parse("198.18.0.0/15");

  /** A prefix and the number of its hop. */
  record Line(IpPrefix prefix, int hop) {
    String text() {
      return prefix + " " + hop;
    }
  }

  /** How many of a thousand have so many bits. */
  private record Share(int bits, int perMille) {}

  private static final List<Share> IPV4 =
      List.of(
          new Share(24, 597),
          new Share(23, 98),
          new Share(22, 113),
          new Share(21, 52),
          new Share(20, 46),
          new Share(19, 26),
          new Share(18, 14),
          new Share(17, 8),
          new Share(16, 14),
          new Share(15, 5),
          new Share(14, 4),
          new Share(13, 2),
          new Share(12, 1),
          new Share(28, 6),
          new Share(30, 4),
          new Share(32, 10));

  private static final List<Share> IPV6 =
      List.of(
          new Share(48, 470),
          new Share(32, 130),
          new Share(44, 95),
          new Share(40, 90),
          new Share(36, 50),
          new Share(46, 35),
          new Share(47, 30),
          new Share(45, 20),
          new Share(42, 20),
          new Share(33, 15),
          new Share(34, 10),
          new Share(29, 25),
          new Share(64, 8),
          new Share(128, 2));

  /** Where registries give addresses from: the first 12 bits. */
  private static final long[] REGISTRIES = {0x200, 0x240, 0x260, 0x280, 0x2A0, 0x2C0};

  /** Networks of 32 bits that have the longer ones, in each registry. */
  private static final int NETWORKS = 1 << 12;

  private RouteTables() {}

  /** So many routes of one version, in no order. */
  static List<Line> of(int ipVersion, int count) {
    Random random = new Random(count);
    Set<IpPrefix> known = new HashSet<>();
    List<Line> lines = new ArrayList<>(count);
    while (lines.size() < count) {
      IpPrefix prefix = ipVersion == 4 ? ipv4(random) : ipv6(random);
      if (known.add(prefix)) {
        lines.add(new Line(prefix, random.nextInt(HOPS)));
      }
    }
    return lines;
  }

  private static int bits(List<Share> shares, Random random) {
    int at = random.nextInt(shares.stream().mapToInt(Share::perMille).sum());
    for (Share share : shares) {
      at -= share.perMille;
      if (at < 0) {
        return share.bits;
      }
    }
    throw new IllegalStateException("no share: at=" + at);
  }

  /** Of addresses of hosts, but for the network of the hops. */
  private static IpPrefix ipv4(Random random) {
    IpPrefix prefix =
        Ipv4Prefix.of((int) random.nextLong(1L << 24, 224L << 24), bits(IPV4, random));
    return prefix.contains(LINK) || LINK.contains(prefix) ? ipv4(random) : prefix;
  }

  private static IpPrefix ipv6(Random random) {
    int bits = bits(IPV6, random);
    long registry = REGISTRIES[random.nextInt(REGISTRIES.length)] << 52;
    long network = bits < 32 ? random.nextLong(1L << 20) << 32 : random.nextLong(NETWORKS) << 32;
    long high = registry | network | random.nextLong(1L << 32);
    return Ipv6Prefix.of(high, random.nextLong(), bits);
  }
}
