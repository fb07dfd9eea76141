package io.linerate.apps.firewall;

import io.linerate.wire.Ipv4Address;
import io.linerate.wire.Ipv6Address;
import java.util.regex.Pattern;

/**
 * Where a packet comes from: an address, or all addresses that begin with the same bits. Bits after
 * the prefix are cleared, as iptables does.
 *
 * @param version 4 or 6
 * @param high the first 64 bits of an IPv6 address, 0 for IPv4
 * @param low the last 64 bits of an IPv6 address, or the 32 of an IPv4 address
 * @param prefixBits bits that count, 0 to 32 or 128
 */
record Source(int version, long high, long low, int prefixBits) {
  static final int IPV4_BITS = 32;
  static final int IPV6_BITS = 128;

  private static final Pattern PREFIX = Pattern.compile("[0-9]{1,3}");

  Source {
    low &= version == 4 ? ipv4Mask(prefixBits) : lowMask(prefixBits);
    high &= version == 4 ? 0 : highMask(prefixBits);
  }

  /**
   * Reads {@code ADDRESS[/PREFIX]}.
   *
   * @throws IllegalArgumentException if it is none; the message says why
   */
  static Source parse(String text) {
    int slash = text.indexOf('/');
    String address = slash < 0 ? text : text.substring(0, slash);
    if (address.indexOf(':') < 0) {
      long bits = Ipv4Address.parse(address) & 0xFFFF_FFFFL;
      return new Source(4, 0, bits, prefix(text, slash, IPV4_BITS));
    }
    Ipv6Address bits = Ipv6Address.parse(address);
    return new Source(6, bits.high(), bits.low(), prefix(text, slash, IPV6_BITS));
  }

  /** Whether a text is meant as a source. */
  static boolean looksLike(String text) {
    return !text.isEmpty() && (text.indexOf(':') >= 0 || Character.isDigit(text.charAt(0)));
  }

  private static int prefix(String text, int slash, int maxBits) {
    if (slash < 0) {
      return maxBits;
    }
    String prefix = text.substring(slash + 1);
    if (!PREFIX.matcher(prefix).matches() || Integer.parseInt(prefix) > maxBits) {
      throw new IllegalArgumentException(
          "not a prefix length: source=" + text + "; 0 to " + maxBits + " is allowed");
    }
    return Integer.parseInt(prefix);
  }

  long ipv4Mask() {
    return ipv4Mask(prefixBits);
  }

  long highMask() {
    return highMask(prefixBits);
  }

  long lowMask() {
    return lowMask(prefixBits);
  }

  private static long ipv4Mask(int bits) {
    return ones(bits) >>> 32;
  }

  private static long highMask(int bits) {
    return ones(Math.min(bits, 64));
  }

  private static long lowMask(int bits) {
    return ones(Math.max(bits - 64, 0));
  }

  /** A word whose first {@code bits} bits are 1: a shift by 64 would shift by none. */
  private static long ones(int bits) {
    return bits == 0 ? 0 : -1L << (64 - bits);
  }
}
