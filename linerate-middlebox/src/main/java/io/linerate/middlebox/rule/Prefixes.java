package io.linerate.middlebox.rule;

import io.linerate.wire.IpPrefix;
import io.linerate.wire.Ipv4Prefix;
import io.linerate.wire.Ipv6Prefix;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Sets of addresses, as prefixes. */
final class Prefixes {
  /** RFC 4291, section 2.5.5.2: {@code ::ffff:192.0.2.1}. */
  private static final long MAPPED_LOW = 0xFFFF_0000_0000L;

  private static final int MAPPED_BITS = 96;

  /** RFC 3056, section 2: 2002, then the address. */
  private static final long SIX_TO_FOUR = 0x2002_0000_0000_0000L;

  private static final int SIX_TO_FOUR_BITS = 16;

  /** RFC 6052, section 2.1: {@code 64:ff9b::192.0.2.1}. */
  private static final long NAT64 = 0x0064_FF9B_0000_0000L;

  private Prefixes() {}

  /** All addresses of a version that are in none of some prefixes. */
  static List<IpPrefix> others(int version, List<IpPrefix> some) {
    List<IpPrefix> result = new ArrayList<>();
    IpPrefix all = version == 4 ? Ipv4Prefix.ANY : Ipv6Prefix.ANY;
    collect(all, some, result);
    return result;
  }

  private static void collect(IpPrefix part, List<IpPrefix> some, List<IpPrefix> result) {
    if (some.stream().anyMatch(prefix -> prefix.contains(part))) {
      return;
    }
    List<IpPrefix> inside = some.stream().filter(part::contains).toList();
    if (inside.isEmpty()) {
      result.add(part);
      return;
    }
    collect(half(part, 0), inside, result);
    collect(half(part, 1), inside, result);
  }

  /** The half whose next bit is this one. */
  private static IpPrefix half(IpPrefix prefix, int bit) {
    int bits = prefix.bits() + 1;
    return switch (prefix) {
      case Ipv4Prefix(int address, int _) -> new Ipv4Prefix(address | bit << (32 - bits), bits);
      case Ipv6Prefix(long high, long low, int _) ->
          bits <= 64
              ? new Ipv6Prefix(high | (long) bit << (64 - bits), low, bits)
              : new Ipv6Prefix(high, low | (long) bit << (128 - bits), bits);
    };
  }

  /**
   * Addresses of IPv6 that stand for some of IPv4 on their way: mapped ones, those of 6to4, and
   * those of translators with the well-known prefix. None for all of IPv4, which would be these
   * mechanisms as such.
   */
  static List<IpPrefix> formsOf(Ipv4Prefix prefix) {
    if (prefix.bits() == 0) {
      return List.of();
    }
    long address = Integer.toUnsignedLong(prefix.address());
    int bits = prefix.bits();
    return List.of(
        new Ipv6Prefix(0, MAPPED_LOW | address, MAPPED_BITS + bits),
        new Ipv6Prefix(SIX_TO_FOUR | address << 16, 0, SIX_TO_FOUR_BITS + bits),
        new Ipv6Prefix(NAT64, address, MAPPED_BITS + bits));
  }

  /** Without those that are there because they are forms of others. */
  static List<IpPrefix> withoutForms(List<IpPrefix> some) {
    Set<IpPrefix> forms = new HashSet<>();
    for (IpPrefix prefix : some) {
      if (prefix instanceof Ipv4Prefix ipv4) {
        forms.addAll(formsOf(ipv4));
      }
    }
    return some.stream().filter(prefix -> !forms.contains(prefix)).toList();
  }
}
