package io.linerate.graph.element;

import io.linerate.core.memory.Packet;
import io.linerate.graph.Outlet;
import io.linerate.wire.EtherType;
import io.linerate.wire.Ethernet;
import io.linerate.wire.Icmp;
import io.linerate.wire.Icmpv6;
import io.linerate.wire.InternetChecksum;
import io.linerate.wire.IpProtocol;
import io.linerate.wire.Ipv6;
import io.linerate.wire.NeighborMessage;
import org.jspecify.annotations.Nullable;

/**
 * Makes solicitations and advertisements of neighbors: RFC 4861, sections 4.3 and 4.4. Each method
 * says whether there was a buffer.
 */
final class NeighborMessages {
  /** Of messages that come from this link. */
  static final int HOP_LIMIT = 255;

  private static final int L3 = Ethernet.HEADER_BYTES;
  private static final int L4 = L3 + Ipv6.HEADER_BYTES;
  private static final int L4_BYTES =
      NeighborMessage.HEADER_BYTES + NeighborMessage.LINK_LAYER_OPTION_BYTES;

  /** RFC 2464, section 7: the last 32 bits of the group follow. */
  private static final long GROUP_MAC = 0x3333_0000_0000L;

  private static final long GROUP_BITS = 0xFFFF_FFFFL;

  /** ff02::1, all nodes: RFC 4291, section 2.7.1. */
  private static final long LINK_GROUPS_HIGH = 0xFF02_0000_0000_0000L;

  private static final long ALL_NODES_LOW = 1;

  /** ff02::1:ff00:0/104, the solicited-node addresses: RFC 4291, section 2.7.1. */
  private static final long SOLICITED_NODE_LOW = 0x0000_0001_FF00_0000L;

  private static final long SOLICITED_NODE_BITS = 0xFF_FFFFL;

  private final Outlet out;
  private final long ownMac;
  private final Ethernet ethernet = new Ethernet();
  private final Ipv6 ipv6 = new Ipv6();
  private final Icmp icmp = new Icmp();
  private final NeighborMessage message = new NeighborMessage();

  NeighborMessages(Outlet out, long ownMac) {
    this.out = out;
    this.ownMac = ownMac;
  }

  /** The Ethernet address of a group. */
  static long groupMac(long low) {
    return GROUP_MAC | (low & GROUP_BITS);
  }

  static boolean isSolicitedNode(long high, long low) {
    return high == LINK_GROUPS_HIGH && (low & ~SOLICITED_NODE_BITS) == SOLICITED_NODE_LOW;
  }

  /**
   * Asks for an address.
   *
   * @param own who asks
   * @param mac that it had, which is to be confirmed, or {@link NeighborProtocol#ANYBODY}
   */
  boolean solicit(Ipv6Network own, long high, long low, long mac) {
    long groupLow = SOLICITED_NODE_LOW | (low & SOLICITED_NODE_BITS);
    boolean isToAll = mac == NeighborProtocol.ANYBODY;
    Packet packet = begin(isToAll ? groupMac(groupLow) : mac, Icmpv6.NEIGHBOR_SOLICITATION);
    if (packet == null) {
      return false;
    }
    ipv6.source(own.high(), own.low())
        .destination(isToAll ? LINK_GROUPS_HIGH : high, isToAll ? groupLow : low);
    finish(packet, 0, high, low, NeighborMessage.SOURCE_LINK_LAYER_ADDRESS);
    return true;
  }

  /** Answers who has asked for an own address. */
  boolean answer(long ownHigh, long ownLow, long high, long low, long mac) {
    int flags = NeighborMessage.OVERRIDE | NeighborMessage.SOLICITED;
    return advertise(ownHigh, ownLow, high, low, mac, flags);
  }

  /** Tells all who has an own address: RFC 4861, section 7.2.6. */
  boolean announce(long ownHigh, long ownLow) {
    return advertise(
        ownHigh,
        ownLow,
        LINK_GROUPS_HIGH,
        ALL_NODES_LOW,
        groupMac(ALL_NODES_LOW),
        NeighborMessage.OVERRIDE);
  }

  private boolean advertise(long ownHigh, long ownLow, long high, long low, long mac, int flags) {
    Packet packet = begin(mac, Icmpv6.NEIGHBOR_ADVERTISEMENT);
    if (packet == null) {
      return false;
    }
    ipv6.source(ownHigh, ownLow).destination(high, low);
    finish(packet, flags, ownHigh, ownLow, NeighborMessage.TARGET_LINK_LAYER_ADDRESS);
    return true;
  }

  private @Nullable Packet begin(long mac, int type) {
    Packet packet = out.create(L4 + L4_BYTES);
    if (packet == null) {
      return null;
    }
    ethernet.wrap(packet, 0).destination(mac).source(ownMac).etherType(EtherType.IPV6);
    packet.i32(L3, Ipv6.VERSION << 28);
    ipv6.wrap(packet, L3).payloadLength(L4_BYTES).nextHeader(IpProtocol.ICMPV6).hopLimit(HOP_LIMIT);
    icmp.wrap(packet, L4).type(type).code(0);
    return packet;
  }

  private void finish(Packet packet, int flags, long high, long low, int option) {
    message
        .wrap(packet, L4, L4_BYTES)
        .flags(flags)
        .target(high, low)
        .linkLayerAddress(option, ownMac);
    InternetChecksum.writeIcmpv6(packet, L3, L4, L4_BYTES);
  }
}
