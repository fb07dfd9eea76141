package io.linerate.graph.element;

import io.linerate.wire.Ipv4Address;

/**
 * A host's IPv4 address with the prefix of its link, RFC 4632.
 *
 * @param mask of the prefix
 */
record Ipv4Network(int address, int mask) {
  private static final int BITS = 32;

  /**
   * @throws IllegalArgumentException if it is none
   */
  static Ipv4Network parse(String text) {
    Ipv4Network network = parse(text, text.indexOf('/'));
    if (!Ipv4Address.isHost(network.address)) {
      throw new IllegalArgumentException(
          "not the address of a host: text=" + text + "; write one such as 192.0.2.1/24");
    }
    return network;
  }

  /**
   * As {@link #parse}, of any address, which may stand alone.
   *
   * @throws IllegalArgumentException if it is none
   */
  static Ipv4Network parseAny(String text) {
    int slash = text.indexOf('/');
    return slash < 0 ? new Ipv4Network(Ipv4Address.parse(text), -1) : parse(text, slash);
  }

  private static Ipv4Network parse(String text, int slash) {
    int length = PrefixLength.parse(text, slash, BITS);
    int mask = length == 0 ? 0 : -1 << (BITS - length);
    return new Ipv4Network(Ipv4Address.parse(text.substring(0, slash)), mask);
  }

  boolean contains(int other) {
    return ((other ^ address) & mask) == 0;
  }

  /** To all hosts of the link: RFC 919. Links of two addresses have none: RFC 3021. */
  boolean isBroadcast(int other) {
    return other == -1 || (~mask > 1 && contains(other) && (other | mask) == -1);
  }
}
