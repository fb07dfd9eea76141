package io.linerate.decode;

import io.linerate.core.memory.Packet;
import io.linerate.decode.protocol.EthernetProtocol;
import io.linerate.decode.protocol.Ipv4Protocol;
import io.linerate.decode.protocol.TcpProtocol;
import io.linerate.decode.protocol.UdpProtocol;
import io.linerate.decode.protocol.VlanProtocol;
import io.linerate.wire.EtherType;
import io.linerate.wire.IpProtocol;
import io.linerate.wire.Ipv4;
import io.linerate.wire.Tcp;
import io.linerate.wire.Udp;

/**
 * Finds the layers that most packets have in one pass, without a call for each: Ethernet, VLAN
 * tags, IPv4, TCP and UDP. It finds what the protocols themselves would find; whatever is not
 * sound, or cut off, it leaves to them.
 */
final class CutThrough {
  private static final int ETHERNET_BYTES = 14;
  private static final int ETHER_TYPE = 12;
  private static final int VLAN_BYTES = 4;
  private static final int MAX_TAGS = 4;
  private static final int FRAGMENT = 6;
  private static final int DATA_OFFSET = 12;
  private static final int FRAGMENT_MASK = 0x3FFF;

  /** More fragments follow, and none is before it. */
  private final Protocols protocols;

  private final LayerTable table;
  private final int ethernet;
  private final int vlan;
  private final int ipv4;
  private final int tcp;
  private final int udp;
  private final long presentIpv4;
  private final long presentVlan;
  private final long presentTcp;
  private final long presentUdp;

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
    tcp = protocols.number(TcpProtocol.TCP);
    udp = protocols.number(UdpProtocol.UDP);
    presentIpv4 = (1L << ethernet) | (1L << ipv4);
    presentVlan = 1L << vlan;
    presentTcp = 1L << tcp;
    presentUdp = 1L << udp;
    isUsual =
        Math.max(Math.max(ethernet, vlan), Math.max(ipv4, Math.max(tcp, udp))) < Long.SIZE
            && protocols.find(DispatchTable.LINK_TYPE, 1) == ethernet
            && protocols.find(DispatchTable.ETHER_TYPE, EtherType.VLAN) == vlan
            && protocols.find(DispatchTable.ETHER_TYPE, EtherType.IPV4) == ipv4
            && protocols.find(DispatchTable.IP_PROTOCOL, IpProtocol.TCP) == tcp
            && protocols.find(DispatchTable.IP_PROTOCOL, IpProtocol.UDP) == udp;
  }

  /**
   * Adds the layers that it finds in a packet of Ethernet to the table, which is empty.
   *
   * @return false if there is something that it does not know: nothing was found then
   */
  boolean scan(Packet packet, int length) {
    if (!isUsual || length < ETHERNET_BYTES) {
      return false;
    }
    int type = packet.u16(ETHER_TYPE);
    if (type == EtherType.IPV4) {
      return ipv4(packet, ETHERNET_BYTES, length, 0);
    }
    return type == EtherType.VLAN && tagged(packet, length);
  }

  private boolean tagged(Packet packet, int length) {
    int at = ETHERNET_BYTES;
    for (int tags = 1; tags <= MAX_TAGS && length - at >= VLAN_BYTES; tags++) {
      int type = packet.u16(at + 2);
      at += VLAN_BYTES;
      if (type == EtherType.IPV4) {
        return ipv4(packet, at, length, tags);
      }
      if (type != EtherType.VLAN) {
        return false;
      }
    }
    return false;
  }

  private boolean ipv4(Packet packet, int at, int length, int tags) {
    if (length - at < Ipv4.HEADER_BYTES) {
      return false;
    }
    int first = packet.i32(at);
    int headerBytes = 4 * ((first >>> 24) & 0xF);
    int totalLength = first & 0xFFFF;
    if (first >>> 28 != Ipv4.VERSION
        || headerBytes < Ipv4.HEADER_BYTES
        || totalLength < headerBytes
        || length - at < headerBytes) {
      return false;
    }
    int payload = at + headerBytes;
    int ipEnd = Math.min(length, at + totalLength);
    int fragmentTtlProtocol = packet.i32(at + FRAGMENT);
    if (((fragmentTtlProtocol >>> 16) & FRAGMENT_MASK) != 0) {
      return false;
    }
    int protocol = fragmentTtlProtocol & 0xFF;
    if (protocol == IpProtocol.TCP) {
      return tcp(packet, at, payload, ipEnd, length, tags);
    }
    if (protocol == IpProtocol.UDP) {
      return udp(packet, at, payload, ipEnd, length, tags);
    }
    int count = below(at, payload, ipEnd, length, tags);
    table.found(count, present(tags));
    next = protocols.find(DispatchTable.IP_PROTOCOL, protocol);
    start = payload;
    end = ipEnd;
    return true;
  }

  /** Sets the layers up to IPv4; returns how many there are. */
  private int below(int at, int payload, int ipEnd, int length, int tags) {
    table.set(0, ethernet, 0, ETHERNET_BYTES, length);
    int place = 1;
    for (; place <= tags; place++) {
      int tag = at - VLAN_BYTES * (tags + 1 - place);
      table.set(place, vlan, tag, tag + VLAN_BYTES, length);
    }
    table.set(place, ipv4, at, payload, ipEnd);
    return place + 1;
  }

  private long present(int tags) {
    return tags == 0 ? presentIpv4 : presentIpv4 | presentVlan;
  }

  private boolean tcp(Packet packet, int ip, int at, int ipEnd, int length, int tags) {
    int room = ipEnd - at;
    if (room < Tcp.HEADER_BYTES) {
      return false;
    }
    int ports = packet.i32(at);
    int headerBytes = 4 * (packet.u8(at + DATA_OFFSET) >>> 4);
    if (headerBytes < Tcp.HEADER_BYTES || headerBytes > room) {
      return false;
    }
    int place = below(ip, at, ipEnd, length, tags);
    table.set(place, tcp, at, at + headerBytes, ipEnd);
    table.found(place + 1, present(tags) | presentTcp);
    start = at + headerBytes;
    end = ipEnd;
    next = start < end ? protocols.tcpPorts.find(ports) : Protocols.NONE;
    return true;
  }

  private boolean udp(Packet packet, int ip, int at, int ipEnd, int length, int tags) {
    int room = ipEnd - at;
    if (room < Udp.HEADER_BYTES) {
      return false;
    }
    long header = packet.u64(at);
    int udpBytes = (int) (header >>> 16) & 0xFFFF;
    if (udpBytes < Udp.HEADER_BYTES || udpBytes > room) {
      return false;
    }
    int place = below(ip, at, ipEnd, length, tags);
    start = at + Udp.HEADER_BYTES;
    end = at + udpBytes;
    table.set(place, udp, at, start, end);
    table.found(place + 1, present(tags) | presentUdp);
    next = start < end ? protocols.udpPorts.find((int) (header >>> 32)) : Protocols.NONE;
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
