package io.linerate.graph.element;

import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.Packet;
import io.linerate.wire.HeaderDefect;
import io.linerate.wire.HeaderScanner;
import io.linerate.wire.IpProtocol;
import io.linerate.wire.Ipv4;
import io.linerate.wire.Ipv6;
import io.linerate.wire.Ipv6Extension;
import org.jspecify.annotations.Nullable;

/** What a fragment of IPv4 or IPv6 says about itself. */
final class FragmentView {
  private static final int TCI = 14;
  private static final int VLAN_BYTES = 4;
  private static final int NEXT_HEADER = 6;
  private static final int UNIT_BYTES = 8;

  private final Ipv4 ipv4 = new Ipv4();
  private final Ipv6 ipv6 = new Ipv6();
  private final Ipv6Extension extension = new Ipv6Extension();

  // What the fragments of one packet share: RFC 791, section 3.2; RFC 8200, section 4.5.
  long sourceHigh;
  long sourceLow;
  long destinationHigh;
  long destinationLow;

  /** Identification, and for IPv4 the protocol above it. */
  long identification;

  /** VLAN tags and version: what comes by different ways is not put together. */
  long link;

  boolean isIpv4;

  /** Offset of the IP header. */
  int l3;

  /** Of IPv6: offset of the fragment header, and of the field that announces it. */
  int headerOffset;

  int announcedAt;

  /** Where in the packet its piece begins, how long it is, and where it belongs. */
  int payloadOffset;

  int count;
  int offset;
  boolean isMore;

  /**
   * Reads a packet that was just scanned and is a fragment.
   *
   * @return what is wrong with it, or null
   */
  @Nullable DropReason read(Packet packet, HeaderScanner scanner) {
    l3 = scanner.l3Offset();
    isIpv4 = scanner.ipVersion() == Ipv4.VERSION;
    link = scanner.ipVersion();
    for (int i = 0; i < scanner.vlanTags(); i++) {
      link = link << 16 | packet.u16(TCI + VLAN_BYTES * i);
    }
    int end = isIpv4 ? readIpv4(packet) : readIpv6(packet);
    if (end > packet.length()) {
      return DefectReasons.of(HeaderDefect.TRUNCATED_PAYLOAD);
    }
    count = end - payloadOffset;
    boolean isBad =
        count <= 0
            || offset + count > Fragment.MAX_IP_BYTES
            || (isMore && count % UNIT_BYTES != 0)
            || payloadOffset > Datagram.MAX_HEADER_BYTES;
    return isBad ? Reassemble.BAD_FRAGMENT : null;
  }

  /** Returns the offset of the end of the IP packet. */
  private int readIpv4(Packet packet) {
    ipv4.wrap(packet, l3);
    sourceHigh = 0;
    sourceLow = ipv4.source();
    destinationHigh = 0;
    destinationLow = ipv4.destination();
    identification = (long) ipv4.protocol() << 32 | ipv4.identification();
    payloadOffset = ipv4.payloadOffset();
    offset = UNIT_BYTES * ipv4.fragmentOffset();
    isMore = ipv4.moreFragments();
    return l3 + ipv4.totalLength();
  }

  private int readIpv6(Packet packet) {
    ipv6.wrap(packet, l3);
    sourceHigh = ipv6.sourceHigh();
    sourceLow = ipv6.sourceLow();
    destinationHigh = ipv6.destinationHigh();
    destinationLow = ipv6.destinationLow();
    announcedAt = l3 + NEXT_HEADER;
    headerOffset = ipv6.payloadOffset();
    boolean isThere = extension.first(packet, l3);
    while (isThere && extension.type() != IpProtocol.IPV6_FRAG) {
      announcedAt = headerOffset;
      headerOffset = extension.payloadOffset();
      isThere = extension.next();
    }
    identification = extension.identification() & 0xFFFF_FFFFL;
    payloadOffset = extension.payloadOffset();
    offset = UNIT_BYTES * extension.fragmentOffset();
    isMore = extension.moreFragments();
    return ipv6.payloadOffset() + ipv6.payloadLength();
  }
}
