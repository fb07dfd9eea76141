package io.linerate.stream.net;

import io.linerate.wire.IpPrefix;
import io.linerate.wire.Ipv4Address;
import io.linerate.wire.Ipv4Prefix;
import io.linerate.wire.Ipv6Address;
import io.linerate.wire.Ipv6Prefix;

/**
 * An end of UDP.
 *
 * @param high of an address of IPv6; 0 of one of IPv4
 * @param low the rest of it
 * @param port 0: none is given
 */
record UdpAddress(boolean isIpv6, long high, long low, int port) {
  private static final int MOST_PORT = 65_535;

  /**
   * An address alone.
   *
   * @throws IllegalArgumentException if it is none
   */
  static UdpAddress host(String text) {
    if (text.indexOf(':') >= 0) {
      Ipv6Address address = Ipv6Address.parse(text);
      return new UdpAddress(true, address.high(), address.low(), 0);
    }
    return new UdpAddress(false, 0, Integer.toUnsignedLong(Ipv4Address.parse(text)), 0);
  }

  /**
   * An address and a port: {@code 192.0.2.1:4242}, {@code [2001:db8::1]:4242}.
   *
   * @throws IllegalArgumentException if it is something else
   */
  static UdpAddress parse(String text) {
    int colon = text.lastIndexOf(':');
    boolean isBracketed = text.startsWith("[") && colon > 0 && text.charAt(colon - 1) == ']';
    if (colon <= 0 || (!isBracketed && text.indexOf(':') != colon)) {
      throw new IllegalArgumentException(
          "no address with a port: address=%s; write 192.0.2.1:4242 or [2001:db8::1]:4242"
              .formatted(text));
    }
    UdpAddress host = host(isBracketed ? text.substring(1, colon - 1) : text.substring(0, colon));
    return host.withPort(port(text, text.substring(colon + 1)));
  }

  private static int port(String text, String digits) {
    try {
      int port = Integer.parseInt(digits);
      if (port >= 1 && port <= MOST_PORT) {
        return port;
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw new IllegalArgumentException(
        "no port of UDP: address=%s, port=%s; write 1 to %d".formatted(text, digits, MOST_PORT));
  }

  /** The address alone. */
  IpPrefix prefix() {
    return isIpv6
        ? Ipv6Prefix.of(high, low, 2 * Long.SIZE)
        : Ipv4Prefix.of((int) low, Integer.SIZE);
  }

  UdpAddress withPort(int next) {
    return new UdpAddress(isIpv6, high, low, next);
  }

  /** Whether a datagram was sent to this address, whatever its port. */
  boolean isLocal(PathView path) {
    return path.isIpv6 == isIpv6 && path.localLow == low && path.localHigh == high;
  }

  /** Whether a datagram was sent from here. */
  boolean isRemote(PathView path) {
    return path.isIpv6 == isIpv6
        && path.remoteLow == low
        && path.remoteHigh == high
        && path.remotePort == port;
  }
}
