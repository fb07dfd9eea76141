package io.linerate.middlebox.nat;

import io.linerate.core.memory.ChecksumState;
import io.linerate.core.memory.Packet;
import io.linerate.wire.EtherType;
import io.linerate.wire.FlowKey;
import io.linerate.wire.HeaderScanner;
import io.linerate.wire.InternetChecksum;
import io.linerate.wire.IpProtocol;
import io.linerate.wire.Ipv4;
import io.linerate.wire.Ipv6;
import io.linerate.wire.Ipv6Extension;
import io.linerate.wire.SourceRoute;
import io.linerate.wire.Udp;

/**
 * Makes packets of IPv4 of those of IPv6, and the other way round (RFC 7915), of TCP, UDP and
 * queries of ICMP that are whole, and gives them addresses and ports. One thread's own.
 */
final class HeaderTranslation {
  private static final int MAX_IP_BYTES = 65_535;

  /** Longer ones are not to be cut: what is shorter passes every link of IPv6 in one piece. */
  private static final int MOST_DIVISIBLE_BYTES = 1_260;

  private static final int UDP_LENGTH = 4;
  private static final int UDP_CHECKSUM = 6;
  private static final int PROTOCOL = 9;

  private final LinkHeaderCopy link = new LinkHeaderCopy();
  private final IpHeaderWriter writer;
  private final Ipv6Extension extension = new Ipv6Extension();
  private final int mtuBytes;

  /**
   * @param mtuBytes of a packet on the side of IPv6
   */
  HeaderTranslation(int mtuBytes, IpHeaderWriter writer) {
    this.mtuBytes = mtuBytes;
    this.writer = writer;
  }

  /**
   * Makes a packet of IPv4 of one that was just scanned; extension headers go (section 5.1).
   *
   * @param flow that it is of then
   * @return false if it cannot be, and is as it was
   */
  boolean toIpv4(Packet packet, HeaderScanner scanner, FlowKey flow) {
    int l3 = scanner.l3Offset();
    int l4 = scanner.l4Offset();
    int bytes = scanner.l4Bytes();
    if (!isTranslatable(packet, scanner)
        || Ipv4.HEADER_BYTES + bytes > MAX_IP_BYTES
        || isAuthenticated(packet, l3)
        || isWithoutChecksum(packet, scanner)) {
      return false;
    }
    boolean mayBeCut = mayBeCut(packet, scanner);
    int classAndHops = IpHeaderWriter.classAndHopLimit(packet, l3);
    boolean isPartial = packet.checksumState() == ChecksumState.NONE;
    long change = UpperLayerRewrite.toIpv4(packet, l3, bytes, flow);
    UpperLayerRewrite.rewrite(packet, l4, bytes, flow, change, isPartial);
    link.replace(packet, l3, l4 - l3, Ipv4.HEADER_BYTES, EtherType.IPV4);
    writer.ipv4(packet, l3, classAndHops, bytes, flow, mayBeCut);
    return true;
  }

  /**
   * Makes a packet of IPv6 of one that was just scanned, before which there is room; options go,
   * and a UDP checksum that there is not is made (sections 4.1 and 4.5).
   *
   * @param flow that it is of then
   * @return false if it cannot be, and is as it was
   */
  boolean toIpv6(Packet packet, HeaderScanner scanner, FlowKey flow) {
    int l3 = scanner.l3Offset();
    int l4 = scanner.l4Offset();
    int bytes = scanner.l4Bytes();
    if (!isTranslatable(packet, scanner) || packet.u8(l3 + PROTOCOL) == IpProtocol.AH) {
      return false;
    }
    int classAndHops = IpHeaderWriter.classAndTtl(packet, l3);
    boolean isWithoutChecksum = isWithoutChecksum(packet, scanner);
    boolean isPartial = packet.checksumState() == ChecksumState.NONE;
    long change = UpperLayerRewrite.toIpv6(packet, l3, bytes, flow);
    UpperLayerRewrite.rewrite(packet, l4, bytes, flow, change, isPartial);
    link.replace(packet, l3, l4 - l3, Ipv6.HEADER_BYTES, EtherType.IPV6);
    writer.ipv6(packet, l3, classAndHops, bytes, flow);
    if (isWithoutChecksum) {
      int at = l3 + Ipv6.HEADER_BYTES;
      InternetChecksum.writeUdp(packet, l3, at, packet.u16(at + UDP_LENGTH));
    }
    return true;
  }

  private static boolean isTranslatable(Packet packet, HeaderScanner scanner) {
    if (!scanner.l4Fits() || scanner.isFragment() || SourceRoute.isAhead(packet, scanner)) {
      return false;
    }
    int l4 = scanner.l4Offset();
    return switch (scanner.ipProtocol()) {
      case IpProtocol.TCP -> true;
      case IpProtocol.UDP -> isUdpLength(packet.u16(l4 + UDP_LENGTH), scanner.l4Bytes());
      default -> UpperLayerRewrite.query(scanner.ipProtocol(), packet.u8(l4)) >= 0;
    };
  }

  private static boolean isUdpLength(int length, int bytes) {
    return length >= Udp.HEADER_BYTES && length <= bytes;
  }

  /** One that is left to who transmits the packet is not missing. */
  private static boolean isWithoutChecksum(Packet packet, HeaderScanner scanner) {
    return scanner.ipProtocol() == IpProtocol.UDP
        && packet.u16(scanner.l4Offset() + UDP_CHECKSUM) == 0
        && packet.checksumState() != ChecksumState.NONE;
  }

  /** RFC 4302 covers the header that goes. */
  private boolean isAuthenticated(Packet packet, int l3) {
    for (boolean isThere = extension.first(packet, l3); isThere; isThere = extension.next()) {
      if (extension.type() == IpProtocol.AH) {
        return true;
      }
    }
    return false;
  }

  /**
   * Section 5.1: what is short; and what no link inside carries in one piece, since that has come
   * in fragments.
   */
  private boolean mayBeCut(Packet packet, HeaderScanner scanner) {
    if (packet.segmentBytes() > 0) {
      return false;
    }
    return Ipv4.HEADER_BYTES + scanner.l4Bytes() <= MOST_DIVISIBLE_BYTES
        || scanner.ipEnd() - scanner.l3Offset() > mtuBytes;
  }
}
