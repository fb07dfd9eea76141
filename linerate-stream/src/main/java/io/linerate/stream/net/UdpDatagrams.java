package io.linerate.stream.net;

import io.linerate.core.memory.Packet;
import io.linerate.graph.Outlet;
import io.linerate.wire.EtherType;
import io.linerate.wire.Ethernet;
import io.linerate.wire.HeaderDefect;
import io.linerate.wire.HeaderScanner;
import io.linerate.wire.InternetChecksum;
import io.linerate.wire.IpProtocol;
import io.linerate.wire.Ipv4;
import io.linerate.wire.Ipv6;
import io.linerate.wire.Udp;

/** Datagrams in Ethernet frames, of whose addresses a link takes care. On one worker. */
final class UdpDatagrams implements DatagramOutput {
  private static final int L3 = Ethernet.HEADER_BYTES;
  private static final int HOP_LIMIT = 64;

  private final Outlet out;
  private final HeaderScanner scanner = new HeaderScanner();
  private final Ethernet ethernet = new Ethernet();
  private final Ipv4 ipv4 = new Ipv4();
  private final Ipv6 ipv6 = new Ipv6();
  private final Udp udp = new Udp();

  UdpDatagrams(Outlet out) {
    this.out = out;
  }

  /**
   * Reads where a packet comes from and goes to.
   *
   * @return whether it is one whole and sound datagram
   */
  boolean readPath(Packet packet, PathView path) {
    boolean isSound =
        scanner.scan(packet)
            && scanner.ipProtocol() == IpProtocol.UDP
            && scanner.defect() == HeaderDefect.NONE
            && scanner.l4Fits()
            && !scanner.isFragment()
            && scanner.l4Bytes() >= Udp.HEADER_BYTES;
    if (!isSound) {
      return false;
    }
    path.isIpv6 = scanner.ipVersion() == Ipv6.VERSION;
    if (path.isIpv6) {
      ipv6.wrap(packet, scanner.l3Offset());
      path.remoteHigh = ipv6.sourceHigh();
      path.remoteLow = ipv6.sourceLow();
      path.localHigh = ipv6.destinationHigh();
      path.localLow = ipv6.destinationLow();
    } else {
      ipv4.wrap(packet, scanner.l3Offset());
      path.remoteHigh = 0;
      path.remoteLow = Integer.toUnsignedLong(ipv4.source());
      path.localHigh = 0;
      path.localLow = Integer.toUnsignedLong(ipv4.destination());
    }
    udp.wrap(packet, scanner.l4Offset());
    path.remotePort = udp.sourcePort();
    path.localPort = udp.destinationPort();
    return udp.length() >= Udp.HEADER_BYTES && udp.length() <= scanner.l4Bytes();
  }

  /** Where the payload of the packet whose path was read begins. */
  int payloadAt() {
    return scanner.l4Offset() + Udp.HEADER_BYTES;
  }

  /** How long it is. */
  int payloadBytes() {
    return udp.length() - Udp.HEADER_BYTES;
  }

  /**
   * Copies bytes of the payload of the packet whose path was read. Seals say whether they are
   * sound.
   */
  void read(Packet packet, int at, int bytes, Datagram datagram) {
    packet.get(payloadAt() + at, datagram.memory(), 0, bytes);
    datagram.length(bytes);
  }

  @Override
  public boolean send(UdpPath path, Datagram datagram) {
    Packet packet = out.create(payloadAt(path) + datagram.length());
    if (packet == null) {
      return false;
    }
    packet.set(payloadAt(path), datagram.memory(), 0, datagram.length());
    writeHeaders(packet, path);
    return true;
  }

  /** Where the payload of a packet by a path begins. */
  static int payloadAt(UdpPath path) {
    return L3 + path.headerBytes();
  }

  /** Writes what is before the payload of a packet, all of which is there. */
  void writeHeaders(Packet packet, UdpPath path) {
    int l4 = payloadAt(path) - Udp.HEADER_BYTES;
    int l4Bytes = packet.length() - l4;
    ethernet
        .wrap(packet, 0)
        .destination(0)
        .source(0)
        .etherType(path.isIpv6() ? EtherType.IPV6 : EtherType.IPV4);
    if (path.isIpv6()) {
      writeIpv6(packet, path, l4Bytes);
    } else {
      writeIpv4(packet, path, l4Bytes);
    }
    udp.wrap(packet, l4)
        .sourcePort(path.localPort())
        .destinationPort(path.remotePort())
        .length(l4Bytes);
    if (!packet.leaveChecksum()) {
      InternetChecksum.writeUdp(packet, L3, l4, l4Bytes);
    }
  }

  /** Nobody on the way may cut it: RFC 8899, section 3. */
  private void writeIpv4(Packet packet, UdpPath path, int l4Bytes) {
    packet.u64(L3, 0x45L << 56);
    ipv4.wrap(packet, L3)
        .totalLength(Ipv4.HEADER_BYTES + l4Bytes)
        .dontFragment(true)
        .ttl(HOP_LIMIT)
        .protocol(IpProtocol.UDP)
        .source((int) path.localLow())
        .destination((int) path.remoteLow());
    InternetChecksum.writeIpv4Header(packet, L3);
  }

  private void writeIpv6(Packet packet, UdpPath path, int l4Bytes) {
    packet.u64(L3, 0x60L << 56);
    ipv6.wrap(packet, L3)
        .payloadLength(l4Bytes)
        .nextHeader(IpProtocol.UDP)
        .hopLimit(HOP_LIMIT)
        .source(path.localHigh(), path.localLow())
        .destination(path.remoteHigh(), path.remoteLow());
  }
}
