package io.linerate.wire;

/** Addresses that begin with the same bits, of IPv4 or of IPv6. */
public sealed interface IpPrefix permits Ipv4Prefix, Ipv6Prefix {
  /** How many bits count: 0 to 32, or 0 to 128. */
  int bits();

  /** 4 or 6. */
  int version();

  /** Whether all addresses of another are among these. */
  boolean contains(IpPrefix other);

  /**
   * Reads {@code ADDRESS[/BITS]}: one address without bits. Bits behind the prefix are cleared.
   *
   * @throws IllegalArgumentException if it is none; the message says why
   */
  static IpPrefix parse(String text) {
    int slash = text.indexOf('/');
    String address = slash < 0 ? text : text.substring(0, slash);
    if (address.indexOf(':') < 0) {
      int known = Ipv4Address.parse(address);
      return Ipv4Prefix.of(known, bits(text, slash, Ipv4Prefix.ADDRESS_BITS));
    }
    Ipv6Address known = Ipv6Address.parse(address);
    return Ipv6Prefix.of(known.high(), known.low(), bits(text, slash, Ipv6Prefix.ADDRESS_BITS));
  }

  private static int bits(String text, int slash, int most) {
    if (slash < 0) {
      return most;
    }
    String bits = text.substring(slash + 1);
    if (!bits.matches("[0-9]{1,3}") || Integer.parseInt(bits) > most) {
      throw new IllegalArgumentException(
          "not a prefix length: text=" + text + "; 0 to " + most + " is allowed");
    }
    return Integer.parseInt(bits);
  }
}
