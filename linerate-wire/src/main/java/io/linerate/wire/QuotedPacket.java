package io.linerate.wire;

import io.linerate.core.memory.Packet;

/**
 * The packet that an error of ICMP (RFC 792, RFC 1812 section 4.3.2.3) or ICMPv6 (RFC 4443) quotes:
 * its IP header, and at least the first 8 bytes of what follows, which have the ports of TCP and
 * UDP. Make one and use it for every packet.
 *
 * <pre>{@code
 * if (scanner.scan(packet) && quoted.find(packet, scanner)) {
 *   key.readQuoted(packet, quoted);
 * }
 * }</pre>
 */
public final class QuotedPacket {
  private static final int LEAST_L4_BYTES = 8;

  private int ipVersion;
  private int ipProtocol;
  private int l3Offset;
  private int l4Offset;
  private int end;

  /**
   * Finds it in a packet that was just scanned.
   *
   * @return false if the packet is no error, or does not quote enough of what it is about, or
   *     quotes a fragment that is not the first: the other methods mean nothing then
   */
  public boolean find(Packet packet, HeaderScanner scanner) {
    int protocol = scanner.ipProtocol();
    boolean isIcmp = protocol == IpProtocol.ICMP || protocol == IpProtocol.ICMPV6;
    if (!isIcmp
        || !scanner.l4Fits()
        || scanner.isFragment()
        || !Icmp.isError(protocol, packet.u8(scanner.l4Offset()))) {
      return false;
    }
    l3Offset = scanner.l4Offset() + Icmp.HEADER_BYTES;
    end = scanner.ipEnd();
    boolean isFound = protocol == IpProtocol.ICMP ? findIpv4(packet) : findIpv6(packet);
    return isFound && end - l4Offset >= LEAST_L4_BYTES;
  }

  private boolean findIpv4(Packet packet) {
    if (end - l3Offset < Ipv4.HEADER_BYTES) {
      return false;
    }
    int versionIhl = packet.u8(l3Offset);
    int headerBytes = 4 * (versionIhl & 0xF);
    ipVersion = Ipv4.VERSION;
    ipProtocol = packet.u8(l3Offset + Ipv4.PROTOCOL);
    l4Offset = l3Offset + headerBytes;
    return versionIhl >>> 4 == Ipv4.VERSION
        && headerBytes >= Ipv4.HEADER_BYTES
        && (packet.u16(l3Offset + Ipv4.FLAGS_FRAGMENT_OFFSET) & Ipv4.FRAGMENT_OFFSET_MASK) == 0;
  }

  private boolean findIpv6(Packet packet) {
    if (end - l3Offset < Ipv6.HEADER_BYTES || packet.u8(l3Offset) >>> 4 != Ipv6.VERSION) {
      return false;
    }
    ipVersion = Ipv6.VERSION;
    ipProtocol = packet.u8(l3Offset + Ipv6.NEXT_HEADER);
    l4Offset = l3Offset + Ipv6.HEADER_BYTES;
    for (int seen = 0; Ipv6Extension.isExtension(ipProtocol); seen++) {
      if (seen == HeaderScanner.MAX_EXTENSION_HEADERS || !passExtension(packet)) {
        return false;
      }
    }
    return true;
  }

  private boolean passExtension(Packet packet) {
    int room = end - l4Offset;
    if (room < Ipv6Extension.HEADER_BYTES
        || room < Ipv6Extension.headerBytes(packet, l4Offset, ipProtocol)
        || (ipProtocol == IpProtocol.IPV6_FRAG
            && packet.u16(l4Offset + Ipv6Extension.FRAGMENT_OFFSET_M) >>> 3 != 0)) {
      return false;
    }
    int next = packet.u8(l4Offset);
    l4Offset += Ipv6Extension.headerBytes(packet, l4Offset, ipProtocol);
    ipProtocol = next;
    return true;
  }

  /** 4 or 6. */
  public int ipVersion() {
    return ipVersion;
  }

  /** The protocol of the upper layer, behind all extension headers: see {@link IpProtocol}. */
  public int ipProtocol() {
    return ipProtocol;
  }

  /** Offset of the quoted IP header. */
  public int l3Offset() {
    return l3Offset;
  }

  /** Offset of what follows it, of which at least 8 bytes are there. */
  public int l4Offset() {
    return l4Offset;
  }

  /** Offset of the first byte behind what is quoted. */
  public int end() {
    return end;
  }
}
