package io.linerate.wire;

import io.linerate.core.memory.Packet;

/**
 * Routes that the sender of a packet has chosen: options of IPv4 (RFC 791, section 3.1) and routing
 * headers of IPv6 (RFC 8200, section 4.4). As long as one is not used up, the IP header has the
 * next stop as its destination, and checksums cover the last one: RFC 8200, section 8.1.
 */
public final class SourceRoute {
  private static final int LOOSE = 131;
  private static final int STRICT = 137;

  /** Of an option of IPv4: its length, and the place in it of the next stop. */
  private static final int LENGTH = 1;

  private static final int POINTER = 2;

  /** Of a routing header. */
  private static final int SEGMENTS_LEFT = 3;

  private SourceRoute() {}

  /** Whether the packet that was just scanned has stops before its destination. */
  public static boolean isAhead(Packet packet, HeaderScanner scanner) {
    if (!scanner.defect().soundUpToL3()) {
      return false;
    }
    return switch (scanner.ipVersion()) {
      case Ipv4.VERSION -> isInOptions(packet, scanner.l3Offset());
      case Ipv6.VERSION -> isInExtensions(packet, scanner);
      default -> false;
    };
  }

  private static boolean isInOptions(Packet packet, int l3) {
    int end = l3 + 4 * (packet.u8(l3) & 0xF);
    int options = l3 + Ipv4.HEADER_BYTES;
    return end > options
        && (isLeft(packet, Options.find(packet, options, end, LOOSE))
            || isLeft(packet, Options.find(packet, options, end, STRICT)));
  }

  /** Of an option, if there is one: when the pointer is behind it, the route is used up. */
  private static boolean isLeft(Packet packet, int option) {
    if (option < 0) {
      return false;
    }
    int length = packet.u8(option + LENGTH);
    return length > POINTER && packet.u8(option + POINTER) <= length;
  }

  private static boolean isInExtensions(Packet packet, HeaderScanner scanner) {
    int type = packet.u8(scanner.l3Offset() + Ipv6.NEXT_HEADER);
    int at = scanner.l3Offset() + Ipv6.HEADER_BYTES;
    while (Ipv6Extension.isExtension(type)) {
      if (type == IpProtocol.IPV6_ROUTE && packet.u8(at + SEGMENTS_LEFT) != 0) {
        return true;
      }
      if (type == IpProtocol.IPV6_FRAG && scanner.isLaterFragment()) {
        return false; // A piece of payload follows.
      }
      int next = packet.u8(at);
      at += Ipv6Extension.headerBytes(packet, at, type);
      type = next;
    }
    return false;
  }
}
