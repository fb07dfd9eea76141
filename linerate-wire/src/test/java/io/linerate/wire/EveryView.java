package io.linerate.wire;

import io.linerate.core.memory.Packet;

/** Reads everything that every view can say of a packet into one number. */
final class EveryView {
  private final Ethernet ethernet = new Ethernet();
  private final Vlan vlan = new Vlan();
  private final Arp arp = new Arp();
  private final Ipv4 ipv4 = new Ipv4();
  private final Ipv6 ipv6 = new Ipv6();
  private final Ipv6Extension extension = new Ipv6Extension();
  private final Udp udp = new Udp();
  private final Tcp tcp = new Tcp();
  private final Transport transport = new Transport();
  private final TcpOptions tcpOptions = new TcpOptions();
  private final Icmp icmp = new Icmp();
  private final NeighborMessage neighbor = new NeighborMessage();
  private long digest;

  private static final int[] EXTENSIONS = {
    IpProtocol.HOPOPT,
    IpProtocol.IPV6_ROUTE,
    IpProtocol.IPV6_FRAG,
    IpProtocol.AH,
    IpProtocol.IPV6_OPTS
  };

  private static final int[] TRANSPORTS = {IpProtocol.TCP, IpProtocol.UDP, IpProtocol.ICMP};

  /** The views that fit there; after {@code fits} nothing may throw. */
  long ofThoseThatFit(Packet packet, int offset) {
    digest = 17;
    if (Ethernet.fits(packet, offset)) {
      readEthernet(packet, offset);
    }
    if (Vlan.fits(packet, offset)) {
      readVlan(packet, offset);
    }
    if (Arp.fits(packet, offset)) {
      readArp(packet, offset);
    }
    if (Ipv4.fits(packet, offset)) {
      readIpv4(packet, offset);
    }
    if (Ipv6.fits(packet, offset)) {
      readIpv6(packet, offset);
    }
    for (int type : EXTENSIONS) {
      if (Ipv6Extension.fits(packet, offset, type)) {
        extension.wrap(packet, offset, type);
        readExtension();
      }
    }
    if (Udp.fits(packet, offset)) {
      readUdp(packet, offset);
    }
    if (Tcp.fits(packet, offset)) {
      readTcp(packet, offset);
    }
    for (int protocol : TRANSPORTS) {
      if (Transport.fits(packet, offset, protocol)) {
        readTransport(packet, offset, protocol);
      }
    }
    if (Icmp.fits(packet, offset)) {
      readIcmp(packet, offset);
    }
    int rest = packet.length() - offset;
    if (NeighborMessage.fits(packet, offset, rest)) {
      readNeighbor(packet, offset, rest);
    }
    return digest;
  }

  /** One view without asking whether it fits: may throw {@link IndexOutOfBoundsException}. */
  long unasked(Packet packet, int offset, int which) {
    digest = 19;
    switch (which) {
      case 0 -> readEthernet(packet, offset);
      case 1 -> readVlan(packet, offset);
      case 2 -> readArp(packet, offset);
      case 3 -> readIpv4(packet, offset);
      case 4 -> readIpv6(packet, offset);
      case 5 -> readUdp(packet, offset);
      case 6 -> readTcp(packet, offset);
      case 7 -> readIcmp(packet, offset);
      case 8 -> readIcmp(packet, offset);
      case 9 -> readNeighbor(packet, offset, packet.length() - offset);
      case 10 -> readTransport(packet, offset, IpProtocol.TCP);
      case 11 -> readTransport(packet, offset, IpProtocol.UDP);
      default -> {
        extension.wrap(packet, offset, EXTENSIONS[which % EXTENSIONS.length]);
        readExtension();
      }
    }
    return digest;
  }

  static final int VIEWS = 17;

  private void add(long value) {
    digest = 31 * digest + value;
  }

  private void add(boolean value) {
    add(value ? 1 : 0);
  }

  private void readEthernet(Packet packet, int offset) {
    ethernet.wrap(packet, offset);
    add(ethernet.destination());
    add(ethernet.source());
    add(ethernet.etherType());
    add(ethernet.payloadOffset());
  }

  private void readVlan(Packet packet, int offset) {
    vlan.wrap(packet, offset);
    add(vlan.pcp());
    add(vlan.dei());
    add(vlan.vid());
    add(vlan.etherType());
    add(vlan.payloadOffset());
  }

  private void readArp(Packet packet, int offset) {
    arp.wrap(packet, offset);
    add(arp.operation());
    add(arp.senderHardwareAddress());
    add(arp.senderProtocolAddress());
    add(arp.targetHardwareAddress());
    add(arp.targetProtocolAddress());
  }

  private void readIpv4(Packet packet, int offset) {
    ipv4.wrap(packet, offset);
    add(ipv4.version());
    add(ipv4.ihl());
    add(ipv4.headerBytes());
    add(ipv4.dscp());
    add(ipv4.ecn());
    add(ipv4.totalLength());
    add(ipv4.payloadOffset());
    add(ipv4.payloadBytes());
    add(ipv4.identification());
    add(ipv4.dontFragment());
    add(ipv4.moreFragments());
    add(ipv4.fragmentOffset());
    add(ipv4.isFragment());
    add(ipv4.ttl());
    add(ipv4.protocol());
    add(ipv4.headerChecksum());
    add(ipv4.source());
    add(ipv4.destination());
    for (int at = ipv4.firstOption(); at >= 0; at = ipv4.nextOption(at)) {
      add(ipv4.optionType(at));
      add(ipv4.optionLength(at));
    }
    add(ipv4.findOption(7));
    add(ipv4.optionsIntact());
    add(InternetChecksum.verifyIpv4Header(packet, offset));
  }

  private void readIpv6(Packet packet, int offset) {
    ipv6.wrap(packet, offset);
    add(ipv6.version());
    add(ipv6.trafficClass());
    add(ipv6.flowLabel());
    add(ipv6.payloadLength());
    add(ipv6.payloadOffset());
    add(ipv6.payloadBytes());
    add(ipv6.nextHeader());
    add(ipv6.hopLimit());
    add(ipv6.sourceHigh());
    add(ipv6.sourceLow());
    add(ipv6.destinationHigh());
    add(ipv6.destinationLow());
    for (boolean more = extension.first(packet, offset); more; more = extension.next()) {
      readExtension();
    }
  }

  private void readExtension() {
    add(extension.type());
    add(extension.nextHeader());
    add(extension.hdrExtLen());
    add(extension.headerBytes());
    add(extension.payloadOffset());
    add(extension.isLaterFragment());
    add(extension.fragmentOffset());
    add(extension.moreFragments());
    add(extension.identification());
  }

  private void readUdp(Packet packet, int offset) {
    udp.wrap(packet, offset);
    add(udp.sourcePort());
    add(udp.destinationPort());
    add(udp.length());
    add(udp.checksum());
    add(udp.payloadOffset());
    add(udp.payloadBytes());
  }

  private void readTcp(Packet packet, int offset) {
    tcp.wrap(packet, offset);
    add(tcp.sourcePort());
    add(tcp.destinationPort());
    add(tcp.sequenceNumber());
    add(tcp.acknowledgmentNumber());
    add(tcp.dataOffset());
    add(tcp.headerBytes());
    add(tcp.payloadOffset());
    add(tcp.flags());
    add(tcp.has(Tcp.SYN));
    add(tcp.window());
    add(tcp.checksum());
    add(tcp.urgentPointer());
    for (int at = tcp.firstOption(); at >= 0; at = tcp.nextOption(at)) {
      add(tcp.optionKind(at));
      add(tcp.optionLength(at));
    }
    add(tcp.findOption(TcpOptions.TIMESTAMPS));
    add(tcp.optionsIntact());
    readTcpOptions(packet, offset);
  }

  private void readTransport(Packet packet, int offset, int protocol) {
    transport.wrap(packet, offset, protocol);
    add(transport.protocol());
    add(transport.sourcePort());
    add(transport.destinationPort());
    add(transport.checksum());
    add(transport.payloadOffset());
  }

  private void readTcpOptions(Packet packet, int offset) {
    tcpOptions.wrap(packet, offset);
    add(tcpOptions.maximumSegmentSize());
    add(tcpOptions.windowScale());
    add(tcpOptions.sackPermitted());
    for (int i = 0; i < tcpOptions.sackBlocks(); i++) {
      add(tcpOptions.sackLeftEdge(i));
      add(tcpOptions.sackRightEdge(i));
    }
    add(tcpOptions.hasTimestamps());
    add(tcpOptions.timestampValue());
    add(tcpOptions.timestampEchoReply());
  }

  private void readIcmp(Packet packet, int offset) {
    icmp.wrap(packet, offset);
    add(icmp.type());
    add(icmp.code());
    add(icmp.checksum());
    add(icmp.restOfHeader());
    add(icmp.identifier());
    add(icmp.sequenceNumber());
    add(icmp.payloadOffset());
  }

  private void readNeighbor(Packet packet, int offset, int count) {
    neighbor.wrap(packet, offset, count);
    add(neighbor.flags());
    add(neighbor.has(NeighborMessage.SOLICITED));
    add(neighbor.targetHigh());
    add(neighbor.targetLow());
    add(neighbor.linkLayerAddress(NeighborMessage.SOURCE_LINK_LAYER_ADDRESS));
    add(neighbor.linkLayerAddress(NeighborMessage.TARGET_LINK_LAYER_ADDRESS));
  }
}
