package io.linerate.decode;

import io.linerate.core.memory.Packet;
import io.linerate.decode.protocol.DataProtocol;
import io.linerate.decode.protocol.EthernetProtocol;
import io.linerate.decode.protocol.Ipv4Protocol;
import io.linerate.decode.protocol.Ipv6Protocol;
import io.linerate.decode.protocol.TcpProtocol;
import io.linerate.decode.protocol.UdpProtocol;
import io.linerate.decode.protocol.VlanProtocol;
import io.linerate.wire.EtherType;
import io.linerate.wire.Ethernet;
import io.linerate.wire.HeaderDefect;
import io.linerate.wire.HeaderScanner;
import io.linerate.wire.IpProtocol;
import io.linerate.wire.Ipv4;
import io.linerate.wire.Ipv6;
import io.linerate.wire.Tcp;
import io.linerate.wire.Udp;

/**
 * Finds the layers that most packets have in one pass, without a call for each: Ethernet, VLAN
 * tags, IPv4 and IPv6, TCP and UDP. It finds what the protocols themselves would find; whatever is
 * not sound, or has other headers between these, it leaves to them.
 */
final class CutThrough {
  /** Nothing was found. */
  static final int NOTHING = 0;

  /** Something was, and something that follows it is to be found: see {@link #next}. */
  static final int MORE = -1;

  private static final int VLAN_BYTES = 4;
  private static final int DATA_OFFSET = 12;
  private static final int FLAGS_FRAGMENT_OFFSET = 6;
  private static final int NEXT_HEADER = 6;

  /** Ether type, version and IHL of IPv4 without options: the first three bytes from offset 12. */
  private static final long ETHERNET_IPV4_IHL5 = 0x0800_45L;

  /** Ether type and version of IPv6: the first 20 bits from there. */
  private static final long ETHERNET_IPV6 = 0x86DD_6L;

  /** Where the upper layer begins. */
  private static final int PLAIN_IPV4 = Ethernet.HEADER_BYTES + Ipv4.HEADER_BYTES;

  private static final int PLAIN_IPV6 = Ethernet.HEADER_BYTES + Ipv6.HEADER_BYTES;

  /** Of the shortest packet that is scanned the short way: all that is read first is in it. */
  private static final int LEAST_PLAIN_BYTES = PLAIN_IPV4 + Tcp.HEADER_BYTES;

  /** More fragments, and offset, above time to live and protocol. */
  private static final int FRAGMENT = 0x3FFF_0000;

  private final LayerTable table;
  private final PortTable tcpPorts;
  private final PortTable udpPorts;
  private final HeaderScanner scanner = new HeaderScanner();

  /** Whether the numbers of these protocols stand for them, and not for others of the user's. */
  private final boolean isUsual;

  // Of what follows: see next.
  private int next;
  private int start;
  private int end;

  CutThrough(Protocols protocols, LayerTable table) {
    this.table = table;
    tcpPorts = protocols.tcpPorts;
    udpPorts = protocols.udpPorts;
    isUsual =
        protocols.number(EthernetProtocol.ETHERNET) == Protocols.ETHERNET
            && protocols.number(VlanProtocol.VLAN) == Protocols.VLAN
            && protocols.number(Ipv4Protocol.IP) == Protocols.IPV4
            && protocols.number(Ipv6Protocol.IPV6_HEADER) == Protocols.IPV6
            && protocols.number(TcpProtocol.TCP) == Protocols.TCP
            && protocols.number(UdpProtocol.UDP) == Protocols.UDP
            && protocols.number(DataProtocol.DATA) == Protocols.DATA
            && protocols.find(DispatchTable.LINK_TYPE, 1) == Protocols.ETHERNET
            && protocols.find(DispatchTable.ETHER_TYPE, EtherType.VLAN) == Protocols.VLAN
            && protocols.find(DispatchTable.ETHER_TYPE, EtherType.IPV4) == Protocols.IPV4
            && protocols.find(DispatchTable.ETHER_TYPE, EtherType.IPV6) == Protocols.IPV6
            && protocols.find(DispatchTable.IP_PROTOCOL, IpProtocol.TCP) == Protocols.TCP
            && protocols.find(DispatchTable.IP_PROTOCOL, IpProtocol.UDP) == Protocols.UDP;
  }

  /** Whether it may be asked. */
  boolean isUsual() {
    return isUsual;
  }

  /**
   * Sets the layers that it finds in a packet of Ethernet in the table, which is empty.
   *
   * @return how many, if that is all there are; {@link #NOTHING} if there is something that it does
   *     not know: nothing was found then; {@link #MORE} if something follows
   */
  int scan(Packet packet, int length) {
    if (length < LEAST_PLAIN_BYTES) {
      return others(packet, length);
    }
    long words = packet.u64(Ethernet.HEADER_BYTES - 2);
    int number;
    int at;
    int bytes;
    boolean isPlain;
    if (words >>> 40 == ETHERNET_IPV4_IHL5) {
      number = Protocols.IPV4;
      at = PLAIN_IPV4;
      bytes = ((int) (words >>> 16) & 0xFFFF) - Ipv4.HEADER_BYTES;
      int fragment = packet.i32(Ethernet.HEADER_BYTES + FLAGS_FRAGMENT_OFFSET);
      isPlain = (fragment & (FRAGMENT | 0xFF)) == IpProtocol.TCP;
    } else {
      number = Protocols.IPV6;
      at = PLAIN_IPV6;
      bytes = (int) words & 0xFFFF;
      isPlain =
          words >>> 44 == ETHERNET_IPV6
              && packet.u8(Ethernet.HEADER_BYTES + NEXT_HEADER) == IpProtocol.TCP;
    }
    int ipEnd = at + bytes;
    if (!isPlain || bytes < Tcp.HEADER_BYTES || ipEnd > length) {
      return others(packet, length);
    }
    int headerBytes = (packet.u8(at + DATA_OFFSET) >>> 4) << 2;
    if (headerBytes < Tcp.HEADER_BYTES || headerBytes > bytes) {
      return others(packet, length);
    }
    int ports = packet.i32(at);
    table.setPlain(length, number, at, at + headerBytes, ipEnd);
    if (headerBytes < bytes && tcpPorts.isBound(ports >>> 16, ports & 0xFFFF)) {
      return moreTcp(number, ports);
    }
    return table.foundTcp(number, headerBytes < bytes);
  }

  private int moreTcp(int number, int ports) {
    int _ = table.foundTcp(number, false);
    return more(tcpPorts.find(ports), table.headerEnd(2), table.end(2));
  }

  private int more(int protocol, int from, int to) {
    next = protocol;
    start = from;
    end = to;
    return MORE;
  }

  private int others(Packet packet, int length) {
    if (!scanner.scan(packet)
        || scanner.defect() != HeaderDefect.NONE
        || !scanner.l4Fits()
        || scanner.isFragment()) {
      return NOTHING;
    }
    return switch (scanner.ipProtocol()) {
      case IpProtocol.TCP -> otherTcp(packet, length);
      case IpProtocol.UDP -> udp(packet, length);
      default -> NOTHING;
    };
  }

  private int otherTcp(Packet packet, int length) {
    int at = scanner.l4Offset();
    int headerEnd = at + 4 * (packet.u8(at + DATA_OFFSET) >>> 4);
    int ipEnd = scanner.ipEnd();
    if (!set(packet, length, Protocols.TCP, headerEnd, ipEnd)) {
      return NOTHING;
    }
    return headerEnd < ipEnd
        ? more(tcpPorts.find(packet.i32(at)), headerEnd, ipEnd)
        : table.count();
  }

  private int udp(Packet packet, int length) {
    int at = scanner.l4Offset();
    long header = packet.u64(at);
    int udpBytes = (int) (header >>> 16) & 0xFFFF;
    int headerEnd = at + Udp.HEADER_BYTES;
    int udpEnd = at + udpBytes;
    if (udpBytes < Udp.HEADER_BYTES
        || udpEnd > scanner.ipEnd()
        || !set(packet, length, Protocols.UDP, headerEnd, udpEnd)) {
      return NOTHING;
    }
    return headerEnd < udpEnd
        ? more(udpPorts.find((int) (header >>> 32)), headerEnd, udpEnd)
        : table.count();
  }

  /** Sets all layers, if the upper one stands right behind the header of IP. */
  private boolean set(Packet packet, int length, int upper, int headerEnd, int upperEnd) {
    int ip = scanner.l3Offset();
    int at = scanner.l4Offset();
    boolean isIpv4 = scanner.ipVersion() == Ipv4.VERSION;
    int number = isIpv4 ? Protocols.IPV4 : Protocols.IPV6;
    int ipBytes = isIpv4 ? 4 * (packet.u8(ip) & 0xF) : Ipv6.HEADER_BYTES;
    int tags = scanner.vlanTags();
    if (ip + ipBytes != at || (tags > 0 && !isTagged(packet, tags))) {
      return false;
    }
    table.set(0, Protocols.ETHERNET, 0, Ethernet.HEADER_BYTES, length);
    int place = 1;
    for (; place <= tags; place++) {
      int tag = Ethernet.HEADER_BYTES + VLAN_BYTES * (place - 1);
      table.set(place, Protocols.VLAN, tag, tag + VLAN_BYTES, length);
    }
    table.set(place, number, ip, at, scanner.ipEnd());
    table.set(place + 1, upper, at, headerEnd, upperEnd);
    long found = (1L << Protocols.ETHERNET) | (1L << number) | (1L << upper);
    table.found(place + 2, tags == 0 ? found : found | (1L << Protocols.VLAN));
    return true;
  }

  /** Whether all tags are of IEEE 802.1Q: those of provider bridges are another protocol's. */
  private static boolean isTagged(Packet packet, int tags) {
    for (int i = 0; i < tags; i++) {
      if (packet.u16(Ethernet.HEADER_BYTES - 2 + VLAN_BYTES * i) != EtherType.VLAN) {
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

  /** Where it ends at the latest: behind where it begins. */
  int end() {
    return end;
  }
}
