package io.linerate.middlebox.firewall;

import io.linerate.core.memory.Packet;
import io.linerate.middlebox.rule.RuleLookup;
import io.linerate.middlebox.rule.RulePacket;
import io.linerate.track.Relation;
import io.linerate.wire.HeaderScanner;
import io.linerate.wire.IpProtocol;
import io.linerate.wire.Ipv4;
import io.linerate.wire.Ipv6;
import io.linerate.wire.Vlan;
import io.linerate.wire.classify.FlowBatch;

/** What rules may ask of a packet, from its headers to a lookup. One thread's own. */
final class PacketFields {
  /** From the start of a header: source, then destination. */
  private static final int IPV4_ADDRESSES = 12;

  /** Of a tag's first two bytes, its identifier. */
  private static final int VLAN_MASK = 0xFFF;

  /** From the start of a header of TCP. */
  private static final int TCP_FLAGS = 13;

  private final Ipv6 ipv6 = new Ipv6();

  /** Adds a packet that was scanned, and is sound up to the header of IP, to a lookup. */
  void add(RuleLookup lookup, int place, Packet packet, HeaderScanner headers, Relation relation) {
    int vlan = vlan(packet, headers);
    int l3 = headers.l3Offset();
    switch (headers.ipVersion()) {
      case Ipv4.VERSION ->
          lookup.addIpv4(
              place,
              relation,
              vlan,
              flags(packet, headers),
              packet.u64(l3 + IPV4_ADDRESSES),
              headers.ipProtocol(),
              ports(packet, headers));
      case Ipv6.VERSION -> {
        ipv6.wrap(packet, l3);
        lookup.addIpv6(
            place,
            relation,
            vlan,
            flags(packet, headers),
            ipv6.sourceHigh(),
            ipv6.sourceLow(),
            ipv6.destinationHigh(),
            ipv6.destinationLow(),
            headers.ipProtocol() < 0 ? FlowBatch.UNKNOWN_PROTOCOL : headers.ipProtocol(),
            ports(packet, headers));
      }
      default -> lookup.addOther(place, vlan, headers.etherType());
    }
  }

  /** Of the outermost tag. */
  private static int vlan(Packet packet, HeaderScanner headers) {
    return headers.vlanTags() == 0
        ? RulePacket.UNTAGGED
        : packet.u16(headers.l3Offset() - headers.vlanTags() * Vlan.HEADER_BYTES) & VLAN_MASK;
  }

  private static int flags(Packet packet, HeaderScanner headers) {
    return headers.ipProtocol() == IpProtocol.TCP && headers.l4Fits()
        ? packet.u8(headers.l4Offset() + TCP_FLAGS)
        : 0;
  }

  private static int ports(Packet packet, HeaderScanner headers) {
    int l4 = headers.l4Offset();
    return switch (headers.ipProtocol()) {
      case IpProtocol.TCP, IpProtocol.UDP, IpProtocol.SCTP, IpProtocol.DCCP, IpProtocol.UDPLITE ->
          headers.l4Bytes() >= Integer.BYTES ? packet.i32(l4) : 0;
      case IpProtocol.ICMP, IpProtocol.ICMPV6 ->
          headers.l4Bytes() >= Short.BYTES ? packet.u16(l4) << Short.SIZE : 0;
      default -> 0;
    };
  }
}
