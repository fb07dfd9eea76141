package io.linerate.middlebox.nat;

import io.linerate.core.memory.Packet;
import io.linerate.wire.FlowKey;
import io.linerate.wire.Icmp;
import io.linerate.wire.Icmpv6;
import io.linerate.wire.InternetChecksum;
import io.linerate.wire.IpProtocol;
import io.linerate.wire.Ipv6;

/**
 * What a header of TCP, UDP or a query of ICMP has to become when the header of IP before it
 * becomes one of the other version: ports or identifier, the type of ICMP, and the checksum, which
 * is updated by what has changed (RFC 1624): one that was wrong stays wrong.
 */
final class UpperLayerRewrite {
  private static final int MASK = 0xFFFF;
  private static final int SOURCE4 = 12;
  private static final int ADDRESSES4_BYTES = 8;
  private static final int SOURCE6 = 8;
  private static final int ADDRESSES6_BYTES = 32;

  private static final int DESTINATION_PORT = 2;
  private static final int ICMP_CHECKSUM = 2;
  private static final int IDENTIFIER = 4;
  private static final int UDP_CHECKSUM = 6;
  private static final int TCP_CHECKSUM = 16;

  private UpperLayerRewrite() {}

  /** The type of a query in the other version; -1 for what is no echo and no reply. */
  static int query(int protocol, int type) {
    if (protocol == IpProtocol.ICMPV6) {
      return switch (type) {
        case Icmpv6.ECHO_REQUEST -> Icmp.ECHO;
        case Icmpv6.ECHO_REPLY -> Icmp.ECHO_REPLY;
        default -> -1;
      };
    }
    return switch (type) {
      case Icmp.ECHO -> Icmpv6.ECHO_REQUEST;
      case Icmp.ECHO_REPLY -> Icmpv6.ECHO_REPLY;
      default -> -1;
    };
  }

  /** Whether a packet is of a protocol that this knows, and has the first bytes of its header. */
  static boolean isKnown(Packet packet, int l4, int protocol) {
    return protocol == IpProtocol.TCP
        || protocol == IpProtocol.UDP
        || query(protocol, packet.u8(l4)) >= 0;
  }

  /**
   * By what the sum of pseudo headers grows when a header of IPv6 becomes one of IPv4.
   *
   * @param bytes of what it carries
   * @param flow of the new header
   */
  static long toIpv4(Packet packet, int l3, int bytes, FlowKey flow) {
    long gone = packet.sum16(l3 + SOURCE6, ADDRESSES6_BYTES);
    // ICMP has a pseudo header only there: RFC 4443, section 2.3.
    return flow.protocol() == IpProtocol.ICMP
        ? minus(gone + bytes + IpProtocol.ICMPV6)
        : minus(gone) + flow.sourceLow() + flow.destinationLow();
  }

  /** Likewise when a header of IPv4 becomes one of IPv6. */
  static long toIpv6(Packet packet, int l3, int bytes, FlowKey flow) {
    long come =
        sum(flow.sourceHigh())
            + sum(flow.sourceLow())
            + sum(flow.destinationHigh())
            + sum(flow.destinationLow());
    return flow.protocol() == IpProtocol.ICMPV6
        ? come + bytes + IpProtocol.ICMPV6
        : come + minus(packet.sum16(l3 + SOURCE4, ADDRESSES4_BYTES));
  }

  private static long sum(long words) {
    return (words >>> 32) + (words & 0xFFFF_FFFFL);
  }

  private static int minus(long sum) {
    return InternetChecksum.complement(sum);
  }

  /**
   * Rewrites a header that {@link #isKnown}.
   *
   * @param here bytes of it and what follows that the packet has
   * @param flow that it is of then
   * @param pseudo by what the sum of the pseudo header has grown
   * @param isPartial whether its checksum is that of the pseudo header alone, to be completed by
   *     who transmits it
   */
  static void rewrite(
      Packet packet, int l4, int here, FlowKey flow, long pseudo, boolean isPartial) {
    switch (flow.protocol()) {
      case IpProtocol.TCP -> {
        long change = ports(packet, l4, flow);
        if (here >= TCP_CHECKSUM + 2) {
          update(packet, l4 + TCP_CHECKSUM, isPartial ? pseudo : pseudo + change, isPartial);
        }
      }
      case IpProtocol.UDP -> {
        long change = ports(packet, l4, flow);
        int at = l4 + UDP_CHECKSUM;
        if (packet.u16(at) != 0 || isPartial) {
          update(packet, at, isPartial ? pseudo : pseudo + change, isPartial);
          if (packet.u16(at) == 0) {
            packet.u16(at, MASK); // 0 says that there is none: RFC 768.
          }
        }
      }
      default -> update(packet, l4 + ICMP_CHECKSUM, pseudo + icmp(packet, l4, flow), false);
    }
  }

  private static long ports(Packet packet, int l4, FlowKey flow) {
    return change(packet, l4, flow.sourcePort())
        + change(packet, l4 + DESTINATION_PORT, flow.destinationPort());
  }

  private static long icmp(Packet packet, int l4, FlowKey flow) {
    int old = packet.u16(l4);
    boolean isOfIpv6 = flow.ipVersion() == Ipv6.VERSION;
    int type = query(isOfIpv6 ? IpProtocol.ICMP : IpProtocol.ICMPV6, old >>> 8);
    boolean isRequest = type == (isOfIpv6 ? Icmpv6.ECHO_REQUEST : Icmp.ECHO);
    int identifier = isRequest ? flow.sourcePort() : flow.destinationPort();
    return change(packet, l4, type << 8 | (old & 0xFF))
        + change(packet, l4 + IDENTIFIER, identifier);
  }

  /** Writes a word, and says by what a sum that it is part of grows. */
  private static long change(Packet packet, int at, int word) {
    long change = (~packet.u16(at) & MASK) + (long) word;
    packet.u16(at, word);
    return change;
  }

  private static void update(Packet packet, int at, long change, boolean isPartial) {
    int old = packet.u16(at);
    packet.u16(
        at,
        isPartial
            ? InternetChecksum.fold(old + change)
            : InternetChecksum.complement((~old & MASK) + change));
  }
}
