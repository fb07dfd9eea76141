package io.linerate.filter.syntax;

/** The name, number or address that qualifiers say something of. */
public sealed interface Id {
  /**
   * A name.
   *
   * @param text without the backslash that may stand in front
   */
  record Name(String text) implements Id {}

  /**
   * A number.
   *
   * @param value 32 bits, unsigned
   */
  record Numeric(int value) implements Id {}

  /**
   * An IPv4 address of 2 to 4 parts.
   *
   * @param text it
   */
  record Ipv4(String text) implements Id {}

  /**
   * An IPv4 network.
   *
   * @param text its address
   * @param prefixLength bits of its mask, unsigned
   */
  record Ipv4Prefix(String text, int prefixLength) implements Id {}

  /**
   * An IPv4 network.
   *
   * @param text its address
   * @param mask its mask
   */
  record Ipv4Mask(String text, String mask) implements Id {}

  /**
   * An IPv6 address or network.
   *
   * @param text its address, which is one
   * @param prefixLength bits of its mask, unsigned
   */
  record Ipv6(String text, int prefixLength) implements Id {}

  /**
   * An Ethernet address.
   *
   * @param text hexadecimal digits with dots, colons and hyphens, or without
   */
  record Ethernet(String text) implements Id {}

  /**
   * An address of ARCnet.
   *
   * @param value 0 to 255
   */
  record Arcnet(int value) implements Id {}
}
