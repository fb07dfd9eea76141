package io.linerate.decode;

import io.linerate.core.memory.Packet;
import io.linerate.decode.protocol.ArpProtocol;
import io.linerate.decode.protocol.DataProtocol;
import io.linerate.decode.protocol.EthernetProtocol;
import io.linerate.decode.protocol.IcmpProtocol;
import io.linerate.decode.protocol.Icmpv6Protocol;
import io.linerate.decode.protocol.Ipv4Protocol;
import io.linerate.decode.protocol.Ipv6Protocol;
import io.linerate.decode.protocol.TcpProtocol;
import io.linerate.decode.protocol.UdpProtocol;
import io.linerate.decode.protocol.VlanProtocol;
import io.linerate.wire.Arp;
import io.linerate.wire.EtherType;
import io.linerate.wire.Ethernet;
import io.linerate.wire.Icmp;
import io.linerate.wire.Icmpv6;
import io.linerate.wire.IpProtocol;
import io.linerate.wire.Ipv4;
import io.linerate.wire.Ipv6;
import io.linerate.wire.Tcp;
import io.linerate.wire.Udp;
import io.linerate.wire.Vlan;

/**
 * Finds the layers that most packets have in one pass, without a call for each: Ethernet, VLAN
 * tags, ARP, IPv4 and IPv6, TCP, UDP and echoes of ICMP. It finds what the protocols themselves
 * would find; whatever is not sound, or has other headers between these, it leaves to them.
 */
final class CutThrough {
  /** Nothing was found. */
  static final int NOTHING = 0;

  /** Something was, and something that follows it is to be found: see {@link #next}. */
  static final int MORE = -1;

  private static final int MAX_TAGS = 4;
  private static final int IP_PROTOCOL = 9;
  private static final int DATA_OFFSET = 12;

  /** Of ARP: the lengths of addresses of hardware and protocol, and those of Ethernet and IPv4. */
  private static final int ARP_SIZES = 4;

  private static final int ARP_SIZES_OF_IPV4 = 0x0604;

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

  /** The same in a word that it ends. */
  private static final int FRAGMENT_WORD = 0x3FFF;

  /** The offset alone. */
  private static final int OFFSET_WORD = 0x1FFF;

  private final LayerTable table;
  private final PortTable tcpPorts;
  private final PortTable udpPorts;

  /** Whether the numbers of these protocols stand for them, and not for others of the user's. */
  private final boolean isUsual;

  private boolean leavesParts;

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
            && protocols.number(ArpProtocol.ARP) == Protocols.ARP
            && protocols.number(IcmpProtocol.ICMP) == Protocols.ICMP
            && protocols.number(Icmpv6Protocol.ICMPV6) == Protocols.ICMPV6
            && protocols.find(DispatchTable.ETHER_TYPE, EtherType.ARP) == Protocols.ARP
            && protocols.find(DispatchTable.IP_PROTOCOL, IpProtocol.ICMP) == Protocols.ICMP
            && protocols.find(DispatchTable.IP_PROTOCOL, IpProtocol.ICMPV6) == Protocols.ICMPV6
            && protocols.find(DispatchTable.LINK_TYPE, 1) == Protocols.ETHERNET
            && protocols.find(DispatchTable.ETHER_TYPE, EtherType.VLAN) == Protocols.VLAN
            && protocols.find(DispatchTable.ETHER_TYPE, EtherType.IPV4) == Protocols.IPV4
            && protocols.find(DispatchTable.ETHER_TYPE, EtherType.IPV6) == Protocols.IPV6
            && protocols.find(DispatchTable.IP_PROTOCOL, IpProtocol.TCP) == Protocols.TCP
            && protocols.find(DispatchTable.IP_PROTOCOL, IpProtocol.UDP) == Protocols.UDP;
  }

  /** From now on fragments are left to others. */
  void leaveParts() {
    leavesParts = true;
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

  /** Whatever is not {@link #scan}'s own. */
  private int others(Packet packet, int length) {
    if (length < Ethernet.HEADER_BYTES) {
      return NOTHING;
    }
    table.set(0, Protocols.ETHERNET, 0, Ethernet.HEADER_BYTES, length);
    int type = packet.u16(Ethernet.HEADER_BYTES - 2);
    int at = Ethernet.HEADER_BYTES;
    int place = 1;
    while (type == EtherType.VLAN && place <= MAX_TAGS && at + Vlan.HEADER_BYTES <= length) {
      table.set(place++, Protocols.VLAN, at, at + Vlan.HEADER_BYTES, length);
      type = packet.u16(at + Vlan.HEADER_BYTES - 2);
      at += Vlan.HEADER_BYTES;
    }
    return switch (type) {
      case EtherType.IPV4 -> ipv4(packet, length, at, place);
      case EtherType.IPV6 -> ipv6(packet, length, at, place);
      case EtherType.ARP -> arp(packet, length, at, place);
      default -> NOTHING;
    };
  }

  private int arp(Packet packet, int length, int at, int place) {
    int arpEnd = at + Arp.HEADER_BYTES;
    if (arpEnd > length || packet.u16(at + ARP_SIZES) != ARP_SIZES_OF_IPV4) {
      return NOTHING;
    }
    table.set(place, Protocols.ARP, at, arpEnd, arpEnd);
    return found(place + 1, 1L << Protocols.ARP);
  }

  private int ipv4(Packet packet, int length, int at, int place) {
    if (at + Ipv4.HEADER_BYTES > length) {
      return NOTHING;
    }
    // Version 4, IHL 4, type of service 8, total length 16, identification 16, fragment 16.
    long words = packet.u64(at);
    int headerBytes = ((int) (words >>> 56) & 0xF) << 2;
    int totalBytes = (int) (words >>> 32) & 0xFFFF;
    if (words >>> 60 != Ipv4.VERSION
        || headerBytes < Ipv4.HEADER_BYTES
        || headerBytes > totalBytes
        || at + totalBytes > length) {
      return NOTHING;
    }
    int upperAt = at + headerBytes;
    table.set(place, Protocols.IPV4, at, upperAt, at + totalBytes);
    if ((words & FRAGMENT_WORD) != 0) {
      boolean isFirst = (words & OFFSET_WORD) == 0;
      return isFirst || leavesParts
          ? NOTHING
          : carried(upperAt, at + totalBytes, place + 1, 1L << Protocols.IPV4);
    }
    int protocol = packet.u8(at + IP_PROTOCOL);
    return upper(packet, protocol, upperAt, at + totalBytes, place + 1, 1L << Protocols.IPV4);
  }

  private int ipv6(Packet packet, int length, int at, int place) {
    if (at + Ipv6.HEADER_BYTES > length) {
      return NOTHING;
    }
    // Version 4, traffic class 8, flow label 20, payload length 16, next header 8, hop limit 8.
    long words = packet.u64(at);
    int upperAt = at + Ipv6.HEADER_BYTES;
    int ipEnd = upperAt + ((int) (words >>> 16) & 0xFFFF);
    if (words >>> 60 != Ipv6.VERSION || ipEnd > length || ipEnd == upperAt) {
      return NOTHING;
    }
    table.set(place, Protocols.IPV6, at, upperAt, ipEnd);
    return upper(
        packet, (int) (words >>> 8) & 0xFF, upperAt, ipEnd, place + 1, 1L << Protocols.IPV6);
  }

  /** What IP carries: {@code from} to {@code to}. */
  private int upper(Packet packet, int protocol, int from, int to, int place, long below) {
    if (from == to) {
      return NOTHING;
    }
    return switch (protocol) {
      case IpProtocol.TCP -> tcp(packet, from, to, place, below);
      case IpProtocol.UDP -> udp(packet, from, to, place, below);
      case IpProtocol.ICMP -> {
        int type = packet.u8(from);
        boolean isEcho = type == Icmp.ECHO || type == Icmp.ECHO_REPLY;
        yield isEcho ? echo(Protocols.ICMP, from, to, place, below) : NOTHING;
      }
      case IpProtocol.ICMPV6 -> {
        int type = packet.u8(from);
        boolean isEcho = type == Icmpv6.ECHO_REQUEST || type == Icmpv6.ECHO_REPLY;
        yield isEcho ? echo(Protocols.ICMPV6, from, to, place, below) : NOTHING;
      }
      default -> NOTHING;
    };
  }

  private int tcp(Packet packet, int from, int to, int place, long below) {
    if (to - from < Tcp.HEADER_BYTES) {
      return NOTHING;
    }
    int headerEnd = from + ((packet.u8(from + DATA_OFFSET) >>> 4) << 2);
    if (headerEnd - from < Tcp.HEADER_BYTES || headerEnd > to) {
      return NOTHING;
    }
    table.set(place, Protocols.TCP, from, headerEnd, to);
    long found = below | (1L << Protocols.TCP);
    int ports = packet.i32(from);
    if (headerEnd < to && tcpPorts.isBound(ports >>> 16, ports & 0xFFFF)) {
      int _ = found(place + 1, found);
      return more(tcpPorts.find(ports), headerEnd, to);
    }
    return carried(headerEnd, to, place + 1, found);
  }

  private int udp(Packet packet, int from, int to, int place, long below) {
    if (to - from < Udp.HEADER_BYTES) {
      return NOTHING;
    }
    // Source port 16, destination port 16, length 16, checksum 16.
    long words = packet.u64(from);
    int bytes = (int) (words >>> 16) & 0xFFFF;
    int headerEnd = from + Udp.HEADER_BYTES;
    int udpEnd = from + bytes;
    if (bytes < Udp.HEADER_BYTES || udpEnd > to) {
      return NOTHING;
    }
    table.set(place, Protocols.UDP, from, headerEnd, udpEnd);
    long found = below | (1L << Protocols.UDP);
    int ports = (int) (words >>> 32);
    if (headerEnd < udpEnd && udpPorts.isBound(ports >>> 16, ports & 0xFFFF)) {
      int _ = found(place + 1, found);
      return more(udpPorts.find(ports), headerEnd, udpEnd);
    }
    return carried(headerEnd, udpEnd, place + 1, found);
  }

  private int echo(int number, int from, int to, int place, long below) {
    int headerEnd = from + Icmp.HEADER_BYTES;
    if (headerEnd > to) {
      return NOTHING;
    }
    table.set(place, number, from, headerEnd, to);
    return carried(headerEnd, to, place + 1, below | (1L << number));
  }

  /** Data, if there is any. */
  private int carried(int from, int to, int place, long below) {
    if (from == to) {
      return found(place, below);
    }
    table.set(place, Protocols.DATA, from, to, to);
    return found(place + 1, below | (1L << Protocols.DATA));
  }

  /** All layers are set, those of Ethernet, and of VLAN tags before IP, as well. */
  private int found(int count, long protocols) {
    long tagged = table.number(1) == Protocols.VLAN ? 1L << Protocols.VLAN : 0;
    table.found(count, protocols | tagged | (1L << Protocols.ETHERNET));
    return count;
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
