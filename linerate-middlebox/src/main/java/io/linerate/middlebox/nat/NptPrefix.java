package io.linerate.middlebox.nat;

import io.linerate.wire.IpPrefix;
import io.linerate.wire.Ipv6Prefix;

/**
 * A prefix inside, and the one that stands for it outside (RFC 6296). The shorter of the two is
 * taken for one as long as the other, with zeros (section 3.7).
 *
 * @param inside 1 to {@value #MOST_BITS} bits
 * @param outside 1 to {@value #MOST_BITS} bits
 */
public record NptPrefix(Ipv6Prefix inside, Ipv6Prefix outside) {
  /** Bits of a prefix at most: what is behind tells hosts of a link apart. */
  public static final int MOST_BITS = 64;

  /**
   * @throws IllegalArgumentException if a prefix is too long, or all addresses
   */
  public NptPrefix {
    require(inside);
    require(outside);
  }

  private static void require(Ipv6Prefix prefix) {
    if (prefix.bits() < 1 || prefix.bits() > MOST_BITS) {
      throw new IllegalArgumentException(
          "prefix is not translated: prefix=%s; give one of 1 to %d bits"
              .formatted(prefix, MOST_BITS));
    }
  }

  /**
   * Reads {@code INSIDE OUTSIDE}, with blanks between them.
   *
   * @throws IllegalArgumentException if it is none; the message says why
   */
  public static NptPrefix parse(String text) {
    String[] words = text.strip().split("\\s+", -1);
    if (words.length == 2
        && IpPrefix.parse(words[0]) instanceof Ipv6Prefix inside
        && IpPrefix.parse(words[1]) instanceof Ipv6Prefix outside) {
      return new NptPrefix(inside, outside);
    }
    throw new IllegalArgumentException(
        "not two prefixes of IPv6: text=%s; write fd01:203:405::/48 2001:db8:1::/48"
            .formatted(text));
  }

  /** The length of both, once the shorter one is as long as the other. */
  int bits() {
    return Math.max(inside.bits(), outside.bits());
  }

  boolean overlaps(NptPrefix other) {
    int bits = Math.min(bits(), other.bits());
    long mask = Ipv6Prefix.highMask(bits);
    return ((inside.high() ^ other.inside.high()) & mask) == 0
        || ((outside.high() ^ other.outside.high()) & mask) == 0;
  }

  @Override
  public String toString() {
    return inside + " " + outside;
  }
}
