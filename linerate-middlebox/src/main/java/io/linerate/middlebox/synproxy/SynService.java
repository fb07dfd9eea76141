package io.linerate.middlebox.synproxy;

import io.linerate.wire.FlowKey;
import io.linerate.wire.IpPrefix;
import io.linerate.wire.Ipv4;
import io.linerate.wire.Ipv4Prefix;
import io.linerate.wire.Ipv6;
import io.linerate.wire.Ipv6Prefix;
import io.linerate.wire.classify.PortRange;

/**
 * Servers whose handshakes are answered for them.
 *
 * @param destination their addresses
 * @param ports of TCP
 */
public record SynService(IpPrefix destination, PortRange ports) {
  private static final String ALLOWED =
      "write ADDRESS[/BITS]:PORT[-PORT], such as 192.0.2.1:80 or [2001:db8::/64]:443";

  /**
   * Reads {@code ADDRESS[/BITS]:PORT[-PORT]}, addresses of IPv6 in brackets.
   *
   * @throws IllegalArgumentException if it is something else
   */
  public static SynService parse(String text) {
    int colon = text.lastIndexOf(':');
    String[] ports = text.substring(colon + 1).split("-", 2);
    boolean hasPorts =
        colon > 0
            && ports[0].matches("[0-9]{1,5}")
            && ports[ports.length - 1].matches("[0-9]{1,5}");
    if (!hasPorts) {
      throw new IllegalArgumentException("not servers: text=" + text + "; " + ALLOWED);
    }
    String host = text.substring(0, colon);
    boolean isInBrackets = host.startsWith("[") && host.endsWith("]");
    int first = Integer.parseInt(ports[0]);
    int last = Integer.parseInt(ports[ports.length - 1]);
    if (first > last || last > PortRange.ANY.last() || isInBrackets != (host.indexOf(':') >= 0)) {
      throw new IllegalArgumentException("not servers: text=" + text + "; " + ALLOWED);
    }
    return new SynService(
        IpPrefix.parse(isInBrackets ? host.substring(1, host.length() - 1) : host),
        new PortRange(first, last));
  }

  /** Whether a flow is to one of them. */
  boolean matches(FlowKey flow) {
    int port = flow.destinationPort();
    if (port < ports.first() || port > ports.last()) {
      return false;
    }
    return switch (destination) {
      case Ipv4Prefix some ->
          flow.ipVersion() == Ipv4.VERSION
              && (((int) flow.destinationLow() ^ some.address()) & mask(some.bits())) == 0;
      case Ipv6Prefix some ->
          flow.ipVersion() == Ipv6.VERSION
              && ((flow.destinationHigh() ^ some.high()) & Ipv6Prefix.highMask(some.bits())) == 0
              && ((flow.destinationLow() ^ some.low()) & Ipv6Prefix.lowMask(some.bits())) == 0;
    };
  }

  private static int mask(int bits) {
    return bits == 0 ? 0 : -1 << (Integer.SIZE - bits);
  }

  @Override
  public String toString() {
    String address =
        destination.version() == Ipv6.VERSION ? "[" + destination + "]" : destination.toString();
    return address
        + ":"
        + ports.first()
        + (ports.first() == ports.last() ? "" : "-" + ports.last());
  }
}
