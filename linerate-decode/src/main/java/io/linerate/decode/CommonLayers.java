package io.linerate.decode;

import io.linerate.core.memory.Packet;
import io.linerate.decode.protocol.TlsProtocol;
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
 * tags, ARP, IPv4 without options and IPv6, parts of datagrams, TCP, UDP, echoes of ICMP, records
 * of TLS, and messages that end with their datagram. It finds what the protocols themselves would
 * find; whatever is not sound, or has other headers between these, it leaves to them.
 */
final class CommonLayers {
  /** Nothing was found. */
  static final int NOTHING = 0;

  /** Something was, and something that follows it is to be found: see {@link #next}. */
  static final int MORE = -1;

  /** Of the shortest packet that may be scanned: all that is read first is in it. */
  static final int LEAST_BYTES = Ethernet.HEADER_BYTES + Ipv4.HEADER_BYTES;

  private static final int MAX_TAGS = 4;

  /** Of ARP: the lengths of addresses of hardware and protocol, and those of Ethernet and IPv4. */
  private static final int ARP_SIZES = 4;

  private static final int ARP_SIZES_OF_IPV4 = 0x0604;

  /** Ether type, version and IHL of IPv4 without options: 24 bits. */
  private static final long IPV4_IHL5 = 0x0800_45L;

  /** Ether type and version of IPv6: 20 bits. */
  private static final long IPV6_VERSION = 0x86DD_6L;

  /** Where the upper layer begins in packets without tags. */
  private static final int PLAIN_IPV4 = Ethernet.HEADER_BYTES + Ipv4.HEADER_BYTES;

  private static final int PLAIN_IPV6 = Ethernet.HEADER_BYTES + Ipv6.HEADER_BYTES;

  /** In IPv4, of four bytes: more fragments, offset, time to live, protocol. */
  private static final int FRAGMENT_WORD = 6;

  /** In that, more fragments and offset. */
  private static final int FRAGMENT = 0x3FFF_0000;

  private static final int FRAGMENT_OFFSET = 0x1FFF_0000;

  private static final int IPV6_NEXT_HEADER = 6;
  private static final int TCP_DATA_OFFSET = 12;

  /** Place of the last record of TLS that is a layer: what is behind it is data. */
  private static final int MAX_RECORD_PLACE = LayerTable.PLACES - 2;

  private final LayerTable table;
  private final PortTable tcpPorts;
  private final PortTable udpPorts;

  /** A bit for each protocol whose messages are all that is there, of numbers below 64. */
  private final long wholes;

  private final boolean isStandard;

  private boolean leavesParts;

  // Of what follows: see next.
  private int next;
  private int start;
  private int end;

  CommonLayers(Protocols protocols, LayerTable table) {
    this.table = table;
    tcpPorts = protocols.tcpPorts;
    udpPorts = protocols.udpPorts;
    isStandard = protocols.beginsAsStandard();
    long bits = 0;
    for (int i = 0; i < Math.min(protocols.all().size(), Long.SIZE); i++) {
      // Only in a stream has a message of DNS a length.
      bits |= protocols.hasScan(i) && i != Protocols.DNS ? 0 : 1L << i;
    }
    wholes = bits;
  }

  /** From now on parts, and what streams carry, are left to others. */
  void leaveParts() {
    leavesParts = true;
  }

  /** Whether it may be asked: what it looks for are the protocols that it knows. */
  boolean isStandard() {
    return isStandard;
  }

  /**
   * Sets the layers that it finds in the table.
   *
   * @param packet see {@link Packet#plainLength}
   * @param length of that, at least {@link #LEAST_BYTES}
   * @return how many, if that is all there are; {@link #NOTHING} if there is something that it does
   *     not know: nothing was found then; {@link #MORE} if something follows
   */
  int scan(Packet packet, int length) {
    // Ether type 16, version 4, and of IPv4: IHL 4, service 8, total length 16, identification 16;
    // of IPv6: traffic class 8, flow label 20, payload length 16.
    long words = packet.u64(Ethernet.HEADER_BYTES - 2);
    int number;
    int at;
    int bytes;
    boolean isTcp;
    if (words >>> 40 == IPV4_IHL5) {
      number = Protocols.IPV4;
      at = PLAIN_IPV4;
      bytes = ((int) (words >>> 16) & 0xFFFF) - Ipv4.HEADER_BYTES;
      int fragment = packet.i32(Ethernet.HEADER_BYTES + FRAGMENT_WORD);
      isTcp = (fragment & (FRAGMENT | 0xFF)) == IpProtocol.TCP;
    } else {
      number = Protocols.IPV6;
      at = PLAIN_IPV6;
      bytes = (int) words & 0xFFFF;
      isTcp =
          words >>> 44 == IPV6_VERSION
              && packet.u8(Ethernet.HEADER_BYTES + IPV6_NEXT_HEADER) == IpProtocol.TCP;
    }
    int ipEnd = at + bytes;
    if (!isTcp || bytes < Tcp.HEADER_BYTES || ipEnd > length) {
      return others(packet, length, words);
    }
    int headerBytes = (packet.u8(at + TCP_DATA_OFFSET) >>> 4) << 2;
    if (headerBytes < Tcp.HEADER_BYTES || headerBytes > bytes) {
      return NOTHING;
    }
    int ports = packet.i32(at);
    table.setPlain(length, number, at, at + headerBytes, ipEnd);
    boolean mayFollow = headerBytes < bytes || leavesParts; // Streams have segments without bytes.
    if (mayFollow && tcpPorts.isBound(ports >>> 16, ports & 0xFFFF)) {
      int headerEnd = at + headerBytes;
      long found = table.plainTcp(number);
      return carried(packet, tcpPorts.find(ports), headerEnd, ipEnd, table.third(), found);
    }
    return table.foundTcp(number, headerBytes < bytes);
  }

  /** What is not TCP without tags: with a check of each offset, which is not constant here. */
  private int others(Packet packet, int length, long first) {
    long words = first;
    LayerRow row = table.first();
    row.set(Protocols.ETHERNET, 0, Ethernet.HEADER_BYTES, length);
    long found = 1L << Protocols.ETHERNET;
    int at = Ethernet.HEADER_BYTES;
    for (int i = 0; i < MAX_TAGS && words >>> 48 == EtherType.VLAN; i++) {
      row = row.next;
      row.set(Protocols.VLAN, at, at + Vlan.HEADER_BYTES, length);
      found |= 1L << Protocols.VLAN;
      at += Vlan.HEADER_BYTES;
      if (at + Ipv4.HEADER_BYTES > length) {
        return NOTHING;
      }
      words = packet.u64(at - 2);
    }
    row = row.next;
    int from;
    int to;
    int protocol;
    if (words >>> 40 == IPV4_IHL5) {
      from = at + Ipv4.HEADER_BYTES;
      to = at + ((int) (words >>> 16) & 0xFFFF);
      if (from >= to || to > length) {
        return NOTHING;
      }
      row.set(Protocols.IPV4, at, from, to);
      found |= 1L << Protocols.IPV4;
      int fragment = packet.i32(at + FRAGMENT_WORD);
      if ((fragment & FRAGMENT) != 0) {
        return part(packet, fragment, from, to, row, found);
      }
      protocol = fragment & 0xFF;
    } else if (words >>> 44 == IPV6_VERSION) {
      from = at + Ipv6.HEADER_BYTES;
      to = from + ((int) words & 0xFFFF);
      if (from >= to || to > length) {
        return NOTHING;
      }
      row.set(Protocols.IPV6, at, from, to);
      found |= 1L << Protocols.IPV6;
      protocol = packet.u8(at + IPV6_NEXT_HEADER);
    } else {
      return words >>> 48 == EtherType.ARP ? arp(packet, length, at, row, found) : NOTHING;
    }
    return switch (protocol) {
      case IpProtocol.TCP -> tcp(packet, from, to, row.next, found);
      case IpProtocol.UDP -> udp(packet, from, to, row.next, found);
      case IpProtocol.ICMP, IpProtocol.ICMPV6 ->
          echo(packet, protocol == IpProtocol.ICMP, from, to, row.next, found);
      default -> NOTHING;
    };
  }

  private int arp(Packet packet, int length, int at, LayerRow row, long below) {
    int arpEnd = at + Arp.HEADER_BYTES;
    if (arpEnd > length || packet.u16(at + ARP_SIZES) != ARP_SIZES_OF_IPV4) {
      return NOTHING;
    }
    row.set(Protocols.ARP, at, arpEnd, arpEnd);
    return table.found(row, below | (1L << Protocols.ARP));
  }

  private int tcp(Packet packet, int from, int to, LayerRow row, long below) {
    if (to - from < Tcp.HEADER_BYTES) {
      return NOTHING;
    }
    int headerEnd = from + ((packet.u8(from + TCP_DATA_OFFSET) >>> 4) << 2);
    if (headerEnd - from < Tcp.HEADER_BYTES || headerEnd > to) {
      return NOTHING;
    }
    row.set(Protocols.TCP, from, headerEnd, to);
    long found = below | (1L << Protocols.TCP);
    int ports = packet.i32(from);
    if (leavesParts && headerEnd == to && tcpPorts.isBound(ports >>> 16, ports & 0xFFFF)) {
      return carried(packet, tcpPorts.find(ports), headerEnd, to, row, found);
    }
    return ofPorts(packet, tcpPorts, ports, headerEnd, to, row, found);
  }

  private int udp(Packet packet, int from, int to, LayerRow row, long below) {
    if (to - from < Udp.HEADER_BYTES) {
      return NOTHING;
    }
    // Source port 16, destination port 16, length 16, checksum 16.
    long header = packet.u64(from);
    int headerEnd = from + Udp.HEADER_BYTES;
    int udpEnd = from + ((int) (header >>> 16) & 0xFFFF);
    if (udpEnd < headerEnd || udpEnd > to) {
      return NOTHING;
    }
    row.set(Protocols.UDP, from, headerEnd, udpEnd);
    long found = below | (1L << Protocols.UDP);
    return ofPorts(packet, udpPorts, (int) (header >>> 32), headerEnd, udpEnd, row, found);
  }

  /** The first part of a datagram of UDP that carries data, or a later one. */
  private int part(Packet packet, int fragment, int from, int to, LayerRow row, long below) {
    if (leavesParts) {
      return NOTHING;
    }
    if ((fragment & FRAGMENT_OFFSET) != 0) {
      return data(from, to, row.next, below);
    }
    if ((fragment & 0xFF) != IpProtocol.UDP || to - from < Udp.HEADER_BYTES) {
      return NOTHING;
    }
    long header = packet.u64(from);
    int ports = (int) (header >>> 32);
    int headerEnd = from + Udp.HEADER_BYTES;
    int claimedEnd = from + ((int) (header >>> 16) & 0xFFFF);
    int udpEnd = Math.min(to, claimedEnd);
    if (udpEnd <= headerEnd || udpPorts.isBound(ports >>> 16, ports & 0xFFFF)) {
      return NOTHING;
    }
    int _ = table.found(row, below);
    table.partial();
    table.addPart(Protocols.UDP, from, headerEnd, udpEnd, claimedEnd);
    table.addPart(Protocols.DATA, headerEnd, udpEnd, udpEnd, claimedEnd);
    return table.count();
  }

  private int echo(Packet packet, boolean isIpv4, int from, int to, LayerRow row, long below) {
    int headerEnd = from + Icmp.HEADER_BYTES;
    if (headerEnd > to) {
      return NOTHING;
    }
    int type = packet.u8(from);
    int request = isIpv4 ? Icmp.ECHO : Icmpv6.ECHO_REQUEST;
    int reply = isIpv4 ? Icmp.ECHO_REPLY : Icmpv6.ECHO_REPLY;
    if (type != request && type != reply) {
      return NOTHING;
    }
    int number = isIpv4 ? Protocols.ICMP : Protocols.ICMPV6;
    row.set(number, from, headerEnd, to);
    long found = below | (1L << number);
    return headerEnd == to ? table.found(row, found) : data(headerEnd, to, row.next, found);
  }

  private int data(int from, int to, LayerRow row, long below) {
    row.set(Protocols.DATA, from, to, to);
    return table.found(row, below | (1L << Protocols.DATA));
  }

  /** What a header with ports carries: {@code from} to {@code to}. */
  private int ofPorts(
      Packet packet, PortTable bound, int ports, int from, int to, LayerRow row, long below) {
    if (from == to) {
      return table.found(row, below);
    }
    return bound.isBound(ports >>> 16, ports & 0xFFFF)
        ? carried(packet, bound.find(ports), from, to, row, below)
        : data(from, to, row.next, below);
  }

  private int carried(Packet packet, int number, int from, int to, LayerRow row, long below) {
    if (!leavesParts && number == Protocols.TLS) {
      return records(packet, from, to, row, below);
    }
    if (!leavesParts && number < Long.SIZE && (wholes & (1L << number)) != 0) {
      row.next.set(number, from, to, to);
      return table.found(row.next, below | (1L << number));
    }
    int _ = table.found(row, below);
    next = number;
    start = from;
    end = to;
    return MORE;
  }

  private int records(Packet packet, int from, int to, LayerRow outer, long below) {
    LayerRow row = outer;
    long found = below;
    int at = from;
    while (to - at >= TlsProtocol.HEADER_BYTES && row.place < MAX_RECORD_PLACE) {
      int begin = packet.i32(at);
      int bytes = ((begin & 0xFF) << 8) | packet.u8(at + TlsProtocol.HEADER_BYTES - 1);
      if (!TlsProtocol.isRecord(begin >>> 8, bytes)) {
        break;
      }
      int recordEnd = at + TlsProtocol.HEADER_BYTES + bytes;
      row = row.next;
      found |= 1L << Protocols.TLS;
      if (recordEnd > to) {
        row.set(Protocols.TLS, at, to, to);
        row.begun();
        return table.found(row, found);
      }
      row.set(Protocols.TLS, at, recordEnd, to);
      at = recordEnd;
    }
    return at == to ? table.found(row, found) : data(at, to, row.next, found);
  }

  /** Number of the protocol that follows. */
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
