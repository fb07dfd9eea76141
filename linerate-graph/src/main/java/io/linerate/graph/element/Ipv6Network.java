package io.linerate.graph.element;

import io.linerate.wire.Ipv6Address;

/**
 * A host's IPv6 address with the prefix of its link, RFC 4291, section 2.3.
 *
 * @param length of the prefix, in bits
 */
record Ipv6Network(long high, long low, int length) {
  private static final int BITS = 128;

  /**
   * @throws IllegalArgumentException if it is none
   */
  static Ipv6Network parse(String text) {
    int slash = text.indexOf('/');
    int length = PrefixLength.parse(text, slash, BITS);
    Ipv6Address address = Ipv6Address.parse(text.substring(0, slash));
    if (!Ipv6Address.isHost(address.high(), address.low())) {
      throw new IllegalArgumentException(
          "not the address of a host: text=" + text + "; write one such as 2001:db8::1/64");
    }
    return new Ipv6Network(address.high(), address.low(), length);
  }

  boolean contains(long otherHigh, long otherLow) {
    return isSame(otherHigh ^ high, Math.min(length, 64))
        && isSame(otherLow ^ low, Math.max(0, length - 64));
  }

  private static boolean isSame(long difference, int bits) {
    return bits == 0 || difference >>> (64 - bits) == 0;
  }
}
