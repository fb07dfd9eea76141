package io.linerate.apps.generate;

import io.linerate.core.driver.BufferPool;
import io.linerate.core.driver.FreeBuffer;
import io.linerate.core.driver.MbufArray;
import io.linerate.core.driver.PacketPools;
import io.linerate.core.memory.OwnedBurst;
import io.linerate.core.memory.Packet;
import io.linerate.wire.Arp;
import io.linerate.wire.EtherType;
import io.linerate.wire.Ethernet;
import io.linerate.wire.Icmp;
import io.linerate.wire.Icmpv6;
import io.linerate.wire.InternetChecksum;
import io.linerate.wire.IpProtocol;
import io.linerate.wire.Ipv4;
import io.linerate.wire.Ipv6;
import io.linerate.wire.Tcp;
import io.linerate.wire.Transport;
import io.linerate.wire.Udp;
import io.linerate.wire.Vlan;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The frames of a stream as they are before the fields that vary are written: one image for each
 * size, in native memory, made once.
 *
 * <p>Fields that vary are 0 in it. Beside it stand the sums over what its checksums cover, so that
 * a packet's checksum is the complement of that sum and the fields written: RFC 1624 with an old
 * value of 0.
 */
final class FrameImages {
  static final int UDP_ECHO_PORT = 7;
  private static final int TTL = 64;
  private static final int TCP_WINDOW = 65_535;
  private static final int ECHO_IDENTIFIER = Stamp.MAGIC;
  private static final int ALIGNMENT_BYTES = 64;

  private final FrameSpec spec;
  private final MemorySegment memory;
  private final int[] offsets;
  private final int[] lengths;
  private final long[] l3Sums;
  private final long[] l4Sums;

  private FrameImages(FrameSpec spec) {
    this.spec = spec;
    int count = spec.sizes().count();
    offsets = new int[count];
    lengths = new int[count];
    l3Sums = new long[count];
    l4Sums = new long[count];
    int end = 0;
    for (int i = 0; i < count; i++) {
      offsets[i] = end;
      lengths[i] = spec.sizes().bytes(i) - SizeMix.FCS_BYTES;
      end += lengths[i] + ALIGNMENT_BYTES - 1 & -ALIGNMENT_BYTES;
    }
    memory = Arena.ofAuto().allocate(end, ALIGNMENT_BYTES);
  }

  /**
   * Makes the images.
   *
   * @param seed of a random payload
   */
  static FrameImages of(FrameSpec spec, long seed) {
    FrameImages images = new FrameImages(spec);
    byte[] payload = images.payload(seed);
    PacketPools pools = new PacketPools();
    BufferPool pool = pools.create("images", 1, 0, SizeMix.MAX);
    OwnedBurst burst = new OwnedBurst(new MbufArray(1));
    FreeBuffer freeBuffer = new FreeBuffer(pools, 1);
    for (int i = 0; i < images.lengths.length; i++) {
      pool.allocate(burst.array(), 1);
      Packet packet = burst.packet(0);
      packet.growTail(images.lengths[i]);
      images.make(packet, payload, i);
      packet.get(0, images.memory, images.offsets[i], images.lengths[i]);
      burst.finish(freeBuffer);
    }
    pools.close();
    return images;
  }

  MemorySegment memory() {
    return memory;
  }

  int offset(int image) {
    return offsets[image];
  }

  /** Bytes without the frame check sequence. */
  int length(int image) {
    return lengths[image];
  }

  /** Sum over the header of IPv4, without its checksum and what varies. */
  long l3Sum(int image) {
    return l3Sums[image];
  }

  /** Sum over what the checksum of the upper layer covers, without itself and what varies. */
  long l4Sum(int image) {
    return l4Sums[image];
  }

  private byte[] payload(long seed) {
    byte[] filled = new byte[SizeMix.MAX];
    spec.payload().fill(filled, seed);
    return filled;
  }

  private void make(Packet packet, byte[] payload, int image) {
    packet.set(0, new byte[packet.length()], 0, packet.length());
    ethernet(packet);
    if (spec.isArp()) {
      arp(packet);
      return;
    }
    int at = spec.payloadOffset();
    int skip = spec.isStamped() ? Stamp.BYTES : 0;
    packet.set(at + skip, payload, 0, packet.length() - at - skip);
    if (spec.ipVersion() == 4) {
      ipv4(packet);
    } else {
      ipv6(packet);
    }
    int bytes = packet.length() - spec.l4Offset();
    switch (spec.protocol()) {
      case UDP -> udp(packet, bytes);
      case TCP -> tcp(packet);
      default -> icmp(packet);
    }
    checksums(packet, bytes, image);
  }

  private void ethernet(Packet packet) {
    int type =
        spec.isArp() ? EtherType.ARP : spec.ipVersion() == 4 ? EtherType.IPV4 : EtherType.IPV6;
    boolean isTagged = spec.vlan() != FrameSpec.NO_VLAN;
    new Ethernet()
        .wrap(packet, 0)
        .destination(spec.destinationMac())
        .source(spec.sourceMac())
        .etherType(isTagged ? EtherType.VLAN : type);
    if (isTagged) {
      new Vlan().wrap(packet, Ethernet.HEADER_BYTES).vid(spec.vlan()).etherType(type);
    }
  }

  private void arp(Packet packet) {
    boolean varies = spec.addressesVary();
    new Arp()
        .wrap(packet, spec.l3Offset())
        .ethernetIpv4()
        .operation(Arp.REQUEST)
        .senderHardwareAddress(spec.sourceMac())
        .senderProtocolAddress(varies ? 0 : (int) spec.source().low())
        .targetProtocolAddress(varies ? 0 : (int) spec.destination().low());
  }

  private void ipv4(Packet packet) {
    boolean varies = spec.addressesVary();
    // An atomic datagram of RFC 6864: not to be fragmented, and so without an identification.
    new Ipv4()
        .wrap(packet, spec.l3Offset())
        .version(Ipv4.VERSION)
        .ihl(Ipv4.MIN_IHL)
        .totalLength(packet.length() - spec.l3Offset())
        .dontFragment(true)
        .ttl(TTL)
        .protocol(ipProtocol())
        .source(varies ? 0 : (int) spec.source().low())
        .destination(varies ? 0 : (int) spec.destination().low());
  }

  private void ipv6(Packet packet) {
    boolean varies = spec.addressesVary();
    ValueRange from = spec.source();
    ValueRange to = spec.destination();
    new Ipv6()
        .wrap(packet, spec.l3Offset())
        .version(Ipv6.VERSION)
        .payloadLength(packet.length() - spec.l4Offset())
        .nextHeader(ipProtocol())
        .hopLimit(TTL)
        .source(varies ? 0 : from.high(), varies ? 0 : from.low())
        .destination(varies ? 0 : to.high(), varies ? 0 : to.low());
  }

  private int ipProtocol() {
    return switch (spec.protocol()) {
      case UDP -> IpProtocol.UDP;
      case TCP -> IpProtocol.TCP;
      default -> spec.ipVersion() == 4 ? IpProtocol.ICMP : IpProtocol.ICMPV6;
    };
  }

  private void ports(Packet packet) {
    if (!spec.portsVary()) {
      new Transport()
          .wrap(packet, spec.l4Offset(), ipProtocol())
          .sourcePort((int) spec.sourcePort().low())
          .destinationPort((int) spec.destinationPort().low());
    }
  }

  private void udp(Packet packet, int bytes) {
    ports(packet);
    new Udp().wrap(packet, spec.l4Offset()).length(bytes);
  }

  private void tcp(Packet packet) {
    ports(packet);
    new Tcp()
        .wrap(packet, spec.l4Offset())
        .sequenceNumber(1)
        .acknowledgmentNumber(1)
        .dataOffset(Tcp.MIN_DATA_OFFSET)
        .flags(Tcp.ACK)
        .window(TCP_WINDOW);
  }

  /** An echo request; its sequence number varies. */
  private void icmp(Packet packet) {
    int type = spec.ipVersion() == 4 ? Icmp.ECHO : Icmpv6.ECHO_REQUEST;
    new Icmp().wrap(packet, spec.l4Offset()).type(type).identifier(ECHO_IDENTIFIER);
  }

  /** Sums for what varies; right checksums for what does not. */
  private void checksums(Packet packet, int bytes, int image) {
    int l3 = spec.l3Offset();
    int l4 = spec.l4Offset();
    if (spec.ipVersion() == 4) {
      l3Sums[image] = packet.sum16(l3, Ipv4.HEADER_BYTES);
      InternetChecksum.writeIpv4Header(packet, l3);
    }
    boolean hasPseudoHeader = spec.protocol() != FrameProtocol.ICMP || spec.ipVersion() == 6;
    long pseudo =
        hasPseudoHeader ? InternetChecksum.pseudoHeader(packet, l3, ipProtocol(), bytes) : 0;
    l4Sums[image] = pseudo + packet.sum16(l4, bytes);
    switch (spec.protocol()) {
      case UDP -> InternetChecksum.writeUdp(packet, l3, l4, bytes);
      case TCP -> InternetChecksum.writeTcp(packet, l3, l4, bytes);
      default -> {
        // Each packet has its own sequence number.
      }
    }
  }
}
