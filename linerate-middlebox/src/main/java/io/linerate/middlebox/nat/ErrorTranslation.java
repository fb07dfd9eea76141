package io.linerate.middlebox.nat;

import io.linerate.core.memory.Packet;
import io.linerate.wire.EtherType;
import io.linerate.wire.FlowKey;
import io.linerate.wire.HeaderScanner;
import io.linerate.wire.Icmp;
import io.linerate.wire.Icmpv6;
import io.linerate.wire.InternetChecksum;
import io.linerate.wire.IpProtocol;
import io.linerate.wire.Ipv4;
import io.linerate.wire.Ipv6;
import io.linerate.wire.QuotedPacket;
import io.linerate.wire.SourceRoute;

/**
 * Makes errors of ICMP of those of ICMPv6, and the other way round, with the packet that they quote
 * (RFC 7915, sections 4.2, 4.3, 5.2 and 5.3). What follows the quoted packet (RFC 4884) is left
 * out. One thread's own.
 */
final class ErrorTranslation {
  /** Bytes that a packet of IPv4 grows by at most: two headers of IP. */
  static final int MOST_GROWTH_BYTES = 2 * (Ipv6.HEADER_BYTES - Ipv4.HEADER_BYTES);

  /** RFC 1812, section 4.3.2.3, and RFC 4443, section 2.4 (c). */
  private static final int MOST_BYTES = 576;

  private static final int MOST_BYTES6 = 1_280;
  private static final int LEAST_QUOTED_BYTES = 8;

  private static final int REST = 4;
  private static final int TOTAL_LENGTH = 2;
  private static final int PAYLOAD_LENGTH = 4;

  private final IcmpTranslation icmp;
  private final IpHeaderWriter writer;
  private final LinkHeaderCopy link = new LinkHeaderCopy();
  private final FlowKey outer = new FlowKey();
  private final byte[] quote = new byte[MOST_BYTES6];

  /**
   * @param mtuBytes of a packet on either side
   */
  ErrorTranslation(int mtuBytes, IpHeaderWriter writer) {
    icmp = new IcmpTranslation(mtuBytes);
    this.writer = writer;
  }

  /**
   * Makes an error of ICMP of one of ICMPv6 that was just scanned.
   *
   * @param about the flow that the quoted packet is of then, whose destination the error is from
   * @return false if it cannot be, and is as it was
   */
  boolean toIpv4(Packet packet, HeaderScanner scanner, QuotedPacket quoted, FlowKey about) {
    int l3 = scanner.l3Offset();
    int l4 = scanner.l4Offset();
    int rest = packet.i32(l4 + REST);
    int extensionBytes = quoted.l4Offset() - quoted.l3Offset() - Ipv6.HEADER_BYTES;
    int bytes = packet.u16(quoted.l3Offset() + PAYLOAD_LENGTH) - extensionBytes;
    int lengthBytes = packet.u8(l4) == Icmpv6.PACKET_TOO_BIG ? 0 : (rest >>> 24) * Long.BYTES;
    int most = MOST_BYTES - 2 * Ipv4.HEADER_BYTES - Icmp.HEADER_BYTES;
    int here = keep(packet, quoted, lengthBytes, most);
    if (bytes < LEAST_QUOTED_BYTES
        || !isTranslatable(packet, scanner, quoted, here)
        || !icmp.toIcmp(packet.u8(l4), packet.u8(l4 + 1), rest)) {
      return false;
    }
    int classAndHops = IpHeaderWriter.classAndHopLimit(packet, l3);
    int quotedClassAndHops = IpHeaderWriter.classAndHopLimit(packet, quoted.l3Offset());
    long change = UpperLayerRewrite.toIpv4(packet, quoted.l3Offset(), bytes, about);
    outer.reverseOf(about);
    outer.protocol(Ipv4.VERSION, IpProtocol.ICMP);
    int icmpBytes = Icmp.HEADER_BYTES + Ipv4.HEADER_BYTES + here;
    resize(packet, l3, Ipv4.HEADER_BYTES + icmpBytes, EtherType.IPV4);
    writer.ipv4(packet, l3, classAndHops, icmpBytes, outer, true);
    int at = writeIcmp(packet, l3 + Ipv4.HEADER_BYTES);
    writer.ipv4(packet, at, quotedClassAndHops, bytes, about, false);
    writeQuote(packet, at + Ipv4.HEADER_BYTES, here, about, change);
    InternetChecksum.writeIcmp(packet, l3 + Ipv4.HEADER_BYTES, icmpBytes);
    return true;
  }

  /**
   * Makes an error of ICMPv6 of one of ICMP that was just scanned, and before which there are
   * {@link #MOST_GROWTH_BYTES}.
   *
   * @param about the flow that the quoted packet is of then
   * @param high bytes 0 to 7 of the address that the error is from
   * @param low bytes 8 to 15
   * @return false if it cannot be, and is as it was
   */
  boolean toIpv6(
      Packet packet,
      HeaderScanner scanner,
      QuotedPacket quoted,
      FlowKey about,
      long high,
      long low) {
    int l3 = scanner.l3Offset();
    int l4 = scanner.l4Offset();
    int rest = packet.i32(l4 + REST);
    int total = packet.u16(quoted.l3Offset() + TOTAL_LENGTH);
    int bytes = total - (quoted.l4Offset() - quoted.l3Offset());
    int most = MOST_BYTES6 - 2 * Ipv6.HEADER_BYTES - Icmp.HEADER_BYTES;
    int here = keep(packet, quoted, (rest >>> 16 & 0xFF) * Integer.BYTES, most);
    if (bytes < LEAST_QUOTED_BYTES
        || !isTranslatable(packet, scanner, quoted, here)
        || !icmp.toIcmpv6(packet.u8(l4), packet.u8(l4 + 1), rest, total)) {
      return false;
    }
    int classAndHops = IpHeaderWriter.classAndTtl(packet, l3);
    int quotedClassAndHops = IpHeaderWriter.classAndTtl(packet, quoted.l3Offset());
    long change = UpperLayerRewrite.toIpv6(packet, quoted.l3Offset(), bytes, about);
    outer.reverseOf(about);
    outer.protocol(Ipv6.VERSION, IpProtocol.ICMPV6);
    outer.source(high, low, 0);
    int icmpBytes = Icmp.HEADER_BYTES + Ipv6.HEADER_BYTES + here;
    resize(packet, l3, Ipv6.HEADER_BYTES + icmpBytes, EtherType.IPV6);
    writer.ipv6(packet, l3, classAndHops, icmpBytes, outer);
    int at = writeIcmp(packet, l3 + Ipv6.HEADER_BYTES);
    writer.ipv6(packet, at, quotedClassAndHops, bytes, about);
    writeQuote(packet, at + Ipv6.HEADER_BYTES, here, about, change);
    InternetChecksum.writeIcmpv6(packet, l3, l3 + Ipv6.HEADER_BYTES, icmpBytes);
    return true;
  }

  /**
   * Keeps what the quoted packet carries.
   *
   * @param lengthBytes that the message says of the quoted packet; 0: it takes all that is there
   * @return how many bytes
   */
  private int keep(Packet packet, QuotedPacket quoted, int lengthBytes, int most) {
    int end = quoted.end();
    if (lengthBytes > 0) {
      end = Math.min(end, quoted.l3Offset() + lengthBytes);
    }
    int here = Math.clamp(end - quoted.l4Offset(), 0, most);
    packet.get(quoted.l4Offset(), quote, 0, here);
    return here;
  }

  private static boolean isTranslatable(
      Packet packet, HeaderScanner scanner, QuotedPacket quoted, int here) {
    return here >= LEAST_QUOTED_BYTES
        && !SourceRoute.isAhead(packet, scanner)
        && UpperLayerRewrite.isKnown(packet, quoted.l4Offset(), quoted.ipProtocol());
  }

  private void resize(Packet packet, int l3, int ipBytes, int etherType) {
    link.read(packet, l3);
    int more = l3 + ipBytes - packet.length();
    if (more > 0) {
      packet.growHead(more);
    } else {
      packet.shrinkTail(-more);
    }
    link.write(packet, l3, etherType);
  }

  /** Returns where the quoted packet begins. */
  private int writeIcmp(Packet packet, int l4) {
    packet.i32(l4, icmp.type() << 24 | icmp.code() << 16);
    packet.i32(l4 + REST, icmp.rest());
    return l4 + Icmp.HEADER_BYTES;
  }

  private void writeQuote(Packet packet, int l4, int here, FlowKey about, long change) {
    packet.set(l4, quote, 0, here);
    UpperLayerRewrite.rewrite(packet, l4, here, about, change, false);
  }
}
