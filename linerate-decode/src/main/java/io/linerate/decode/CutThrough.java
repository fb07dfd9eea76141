package io.linerate.decode;

import io.linerate.core.memory.Packet;
import io.linerate.decode.protocol.EthernetProtocol;
import io.linerate.decode.protocol.Ipv4Protocol;
import io.linerate.decode.protocol.Ipv6Protocol;
import io.linerate.decode.protocol.TcpProtocol;
import io.linerate.decode.protocol.UdpProtocol;
import io.linerate.decode.protocol.VlanProtocol;
import io.linerate.wire.EtherType;
import io.linerate.wire.HeaderDefect;
import io.linerate.wire.HeaderScanner;
import io.linerate.wire.IpProtocol;
import io.linerate.wire.Ipv4;
import io.linerate.wire.Ipv6;
import io.linerate.wire.Udp;

/**
 * Finds the layers that most packets have in one pass, by the {@link HeaderScanner}, without a call
 * for each: Ethernet, VLAN tags, IPv4 and IPv6, TCP and UDP. It finds what the protocols themselves
 * would find; whatever is not sound, or has other headers between these, it leaves to them.
 */
final class CutThrough {
  private static final int ETHERNET_BYTES = 14;
  private static final int VLAN_BYTES = 4;
  private static final int DATA_OFFSET = 12;

  private final Protocols protocols;
  private final LayerTable table;
  private final HeaderScanner scanner = new HeaderScanner();
  private final int ethernet;
  private final int vlan;
  private final int ipv4;
  private final int ipv6;
  private final int tcp;
  private final int udp;
  private final long vlanBit;

  /** Whether the numbers of these protocols stand for them, and not for others of the user's. */
  private final boolean isUsual;

  // Of what follows: see next.
  private int next;
  private int start;
  private int end;

  CutThrough(Protocols protocols, LayerTable table) {
    this.protocols = protocols;
    this.table = table;
    ethernet = protocols.number(EthernetProtocol.ETHERNET);
    vlan = protocols.number(VlanProtocol.VLAN);
    ipv4 = protocols.number(Ipv4Protocol.IP);
    ipv6 = protocols.number(Ipv6Protocol.IPV6_HEADER);
    tcp = protocols.number(TcpProtocol.TCP);
    udp = protocols.number(UdpProtocol.UDP);
    vlanBit = 1L << vlan;
    int highest =
        Math.max(Math.max(Math.max(ethernet, vlan), Math.max(ipv4, ipv6)), Math.max(tcp, udp));
    isUsual =
        highest < Long.SIZE
            && protocols.find(DispatchTable.LINK_TYPE, 1) == ethernet
            && protocols.find(DispatchTable.ETHER_TYPE, EtherType.VLAN) == vlan
            && protocols.find(DispatchTable.ETHER_TYPE, EtherType.IPV4) == ipv4
            && protocols.find(DispatchTable.ETHER_TYPE, EtherType.IPV6) == ipv6
            && protocols.find(DispatchTable.IP_PROTOCOL, IpProtocol.TCP) == tcp
            && protocols.find(DispatchTable.IP_PROTOCOL, IpProtocol.UDP) == udp;
  }

  /**
   * Adds the layers that it finds in a packet of Ethernet to the table, which is empty.
   *
   * @return false if there is something that it does not know: nothing was found then
   */
  boolean scan(Packet packet, int length) {
    if (!isUsual
        || !scanner.scan(packet)
        || scanner.defect() != HeaderDefect.NONE
        || !scanner.l4Fits()
        || scanner.isFragment()) {
      return false;
    }
    return switch (scanner.ipProtocol()) {
      case IpProtocol.TCP -> tcp(packet, length);
      case IpProtocol.UDP -> udp(packet, length);
      default -> false;
    };
  }

  private boolean tcp(Packet packet, int length) {
    int at = scanner.l4Offset();
    int headerBytes = 4 * (packet.u8(at + DATA_OFFSET) >>> 4);
    end = scanner.ipEnd();
    start = at + headerBytes;
    if (!set(packet, length, tcp, start, end)) {
      return false;
    }
    next = start < end ? protocols.tcpPorts.find(packet.i32(at)) : Protocols.NONE;
    return true;
  }

  private boolean udp(Packet packet, int length) {
    int at = scanner.l4Offset();
    long header = packet.u64(at);
    int udpBytes = (int) (header >>> 16) & 0xFFFF;
    start = at + Udp.HEADER_BYTES;
    end = at + udpBytes;
    if (udpBytes < Udp.HEADER_BYTES
        || end > scanner.ipEnd()
        || !set(packet, length, udp, start, end)) {
      return false;
    }
    next = start < end ? protocols.udpPorts.find((int) (header >>> 32)) : Protocols.NONE;
    return true;
  }

  /** Sets all layers, if the upper one stands right behind the header of IP. */
  private boolean set(Packet packet, int length, int upper, int headerEnd, int upperEnd) {
    int ip = scanner.l3Offset();
    int at = scanner.l4Offset();
    int number = scanner.ipVersion() == Ipv4.VERSION ? ipv4 : ipv6;
    int ipBytes = number == ipv4 ? 4 * (packet.u8(ip) & 0xF) : Ipv6.HEADER_BYTES;
    int tags = scanner.vlanTags();
    if (ip + ipBytes != at || (tags > 0 && !isTagged(packet, tags))) {
      return false;
    }
    table.set(0, ethernet, 0, ETHERNET_BYTES, length);
    int place = 1;
    for (; place <= tags; place++) {
      int tag = ETHERNET_BYTES + VLAN_BYTES * (place - 1);
      table.set(place, vlan, tag, tag + VLAN_BYTES, length);
    }
    table.set(place, number, ip, at, scanner.ipEnd());
    table.set(place + 1, upper, at, headerEnd, upperEnd);
    long found = (1L << ethernet) | (1L << number) | (1L << upper);
    table.found(place + 2, tags == 0 ? found : found | vlanBit);
    return true;
  }

  /** Whether all tags are of IEEE 802.1Q: those of provider bridges are another protocol's. */
  private static boolean isTagged(Packet packet, int tags) {
    for (int i = 0; i < tags; i++) {
      if (packet.u16(ETHERNET_BYTES - 2 + VLAN_BYTES * i) != EtherType.VLAN) {
        return false;
      }
    }
    return true;
  }

  /** Number of the protocol that follows, or {@link Protocols#NONE}. */
  int next() {
    return next;
  }

  /** Where it begins. */
  int start() {
    return start;
  }

  /** Where it ends at the latest; nothing follows if it does not begin before that. */
  int end() {
    return end;
  }
}
