package io.linerate.core.driver;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Finds the TCP or UDP header of an Ethernet frame: behind two VLAN tags at most, an IPv4 header
 * with options, or an IPv6 header with hop-by-hop and destination options. A fragment has none, nor
 * has a packet whose IP header says that it is longer than the frame, or of a length that it cannot
 * say (jumbograms). Finds that of a packet in a tunnel, too: IP in IP, GRE without checksums and
 * numbers, and over UDP VXLAN, Geneve and IP itself. For drivers only: it trusts the handle. One
 * thread's own.
 */
public final class TransportHeader {
  public static final int TCP = 6;
  public static final int UDP = 17;

  /** Bytes of a frame that are looked at. */
  public static final int MOST_BYTES = 256;

  private static final int ADDRESSES_BYTES = 12;
  private static final int TYPE_IPV4 = 0x0800;
  private static final int TYPE_IPV6 = 0x86DD;
  private static final int TYPE_VLAN = 0x8100;
  private static final int TYPE_PROVIDER_VLAN = 0x88A8;
  private static final int MAX_VLANS = 2;
  private static final int IPV4_BYTES = 20;
  private static final int IPV6_BYTES = 40;
  private static final int FRAGMENT_BITS = 0x3FFF;
  private static final int HOP_BY_HOP = 0;
  private static final int DESTINATION_OPTIONS = 60;
  private static final int TYPE_ETHERNET = 0x6558; // Transparent Ethernet bridging.
  private static final int IPV4_IN_IP = 4;
  private static final int IPV6_IN_IP = 41;
  private static final int GRE = 47;
  private static final int GRE_KEY = 0x2000;

  /** RFC 7348, section 5; the second of draft-smith-vxlan-group-policy. */
  private static final int VXLAN_FLAGS = 0x08;

  private static final int VXLAN_POLICY_FLAGS = 0x88;

  private static final int TCP_BYTES = 20;
  private static final int UDP_BYTES = 8;
  private static final int TCP_CHECKSUM = 16;
  private static final int UDP_CHECKSUM = 6;

  /** The first bytes of a packet whose first segment is short. */
  private final MemorySegment copied = Arena.ofAuto().allocate(MOST_BYTES, 8);

  private long mbuf;
  private long frame;
  private int bytes;
  private boolean isIpv4;
  private int outerNetworkOffset;
  private int networkOffset;
  private int offset;
  private int protocol;
  private int payloadOffset;
  private int end;

  /** Whether the packet has such a header; the other methods tell of it then. */
  public boolean find(long packet) {
    return findCarrier(packet) && hasHeader();
  }

  /**
   * Whether the packet has an IP header, and is whole and no fragment; the other methods tell of it
   * then, {@link #offset} of what follows it, whatever that is.
   */
  boolean findCarrier(long packet) {
    return findNetwork(packet) && end <= Mbuf.packetLength(packet) && findInNetwork();
  }

  private boolean findInNetwork() {
    return isIpv4 ? findInIpv4() : findInIpv6();
  }

  /** As {@link #find}, of the packet that this one carries. */
  public boolean findInner(long packet) {
    if (!findCarrier(packet)) {
      return false;
    }
    int carrierEnd = end;
    return findCarried() && end <= carrierEnd && findInNetwork() && hasHeader();
  }

  /** Finds the IP header of what is carried in the packet that {@link #findCarrier} has found. */
  private boolean findCarried() {
    int at = offset;
    return switch (protocol) {
      case IPV4_IN_IP -> isNetwork(TYPE_IPV4, at);
      case IPV6_IN_IP -> isNetwork(TYPE_IPV6, at);
      case GRE -> at + 8 <= bytes && isInGre(at);
      case UDP -> at + UDP_BYTES + 8 <= bytes && isInUdp(at + UDP_BYTES);
      default -> false;
    };
  }

  /** RFC 2890, section 2: behind a key, perhaps. */
  private boolean isInGre(int at) {
    int flags = u16(at);
    return (flags & ~GRE_KEY) == 0 && isCarried(u16(at + 2), at + ((flags & GRE_KEY) != 0 ? 8 : 4));
  }

  private boolean isInUdp(int at) {
    int first = u8(at);
    if (first == VXLAN_FLAGS || first == VXLAN_POLICY_FLAGS) {
      return isCarried(TYPE_ETHERNET, at + 8);
    }
    return switch (first >>> 4) {
      // Geneve: RFC 8926, section 3.4.
      case 0, 1, 2, 3 -> isCarried(u16(at + 2), at + 8 + 4 * first);
      case 4 -> isNetwork(TYPE_IPV4, at);
      case 6 -> isNetwork(TYPE_IPV6, at);
      default -> false;
    };
  }

  private boolean isCarried(int type, int at) {
    return type == TYPE_ETHERNET ? findNetwork(at) : isNetwork(type, at);
  }

  /**
   * Whether the frame ends before its IP packet does, as the IP header says it: a fragment's, too.
   */
  public boolean isCut(long packet) {
    return findNetwork(packet) && end > Mbuf.packetLength(packet);
  }

  /** Finds the IP header, and where it says that its packet ends. */
  private boolean findNetwork(long packet) {
    mbuf = packet;
    int length = Mbuf.packetLength(packet);
    bytes = Math.min(length, MOST_BYTES);
    if (Mbuf.dataLength(packet) >= bytes) {
      frame = Mbuf.dataAddress(packet);
    } else {
      frame = copied.address();
      SegmentCopy.read(packet, 0, copied, 0, bytes);
    }
    boolean isFound = findNetwork(0);
    outerNetworkOffset = networkOffset;
    return isFound;
  }

  /** Behind an Ethernet header. */
  private boolean findNetwork(int ethernet) {
    int at = ethernet + ADDRESSES_BYTES;
    for (int i = 0; i < MAX_VLANS && at + 2 <= bytes && isVlan(u16(at)); i++) {
      at += 4;
    }
    return at + 2 <= bytes && isNetwork(u16(at), at + 2);
  }

  private boolean isNetwork(int type, int at) {
    networkOffset = at;
    isIpv4 = type == TYPE_IPV4;
    if (isIpv4 && at + IPV4_BYTES <= bytes) {
      end = at + u16(at + 2);
      return true;
    }
    if (type == TYPE_IPV6 && at + IPV6_BYTES <= bytes) {
      end = at + IPV6_BYTES + u16(at + 4);
      return true;
    }
    return false;
  }

  private static boolean isVlan(int type) {
    return type == TYPE_VLAN || type == TYPE_PROVIDER_VLAN;
  }

  private boolean findInIpv4() {
    int headerBytes = (u8(networkOffset) & 0x0F) << 2;
    offset = networkOffset + headerBytes;
    protocol = u8(networkOffset + 9);
    return headerBytes >= IPV4_BYTES && (u16(networkOffset + 6) & FRAGMENT_BITS) == 0;
  }

  private boolean findInIpv6() {
    offset = networkOffset + IPV6_BYTES;
    protocol = u8(networkOffset + 6);
    while (protocol == HOP_BY_HOP || protocol == DESTINATION_OPTIONS) {
      if (offset + 8 > bytes) {
        return false;
      }
      protocol = u8(offset);
      offset += (u8(offset + 1) + 1) << 3;
    }
    return true;
  }

  private boolean hasHeader() {
    boolean isTcp = protocol == TCP;
    int leastBytes = isTcp ? TCP_BYTES : UDP_BYTES;
    int most = Math.min(bytes, end);
    if ((!isTcp && protocol != UDP) || offset + leastBytes > most) {
      return false;
    }
    payloadOffset = offset + (isTcp ? (u8(offset + 12) >>> 4) << 2 : UDP_BYTES);
    return payloadOffset >= offset + leastBytes && payloadOffset <= most;
  }

  private int u8(int at) {
    return NativeMemory.u8(frame + at);
  }

  private int u16(int at) {
    return NativeMemory.netU16(frame + at);
  }

  public boolean isIpv4() {
    return isIpv4;
  }

  /** {@link #TCP} or {@link #UDP}. */
  public int protocol() {
    return protocol;
  }

  /** Bytes from the start of the frame to its IP header. */
  public int networkOffset() {
    return networkOffset;
  }

  /** Bytes from the start of the frame to its first IP header: another one if it is a tunnel's. */
  public int outerNetworkOffset() {
    return outerNetworkOffset;
  }

  /** Bytes from the start of the frame to its TCP or UDP header. */
  public int offset() {
    return offset;
  }

  /** Bytes from the start of the frame to what follows that header. */
  public int payloadOffset() {
    return payloadOffset;
  }

  /** Bytes from the start of the frame to the end of its IP packet. */
  public int end() {
    return end;
  }

  /** Flags of a TCP header (RFC 9293, section 3.1): FIN 1, PSH 8, CWR 0x80. */
  public int tcpFlags() {
    return u8(offset + 13);
  }

  /** Bytes from the TCP or UDP header to its checksum. */
  public int checksumOffset() {
    return protocol == TCP ? TCP_CHECKSUM : UDP_CHECKSUM;
  }

  /** Whether its sender made one: not every UDP datagram over IPv4 has one (RFC 768). */
  public boolean hasChecksum() {
    return protocol == TCP || !isIpv4 || checksum() != 0;
  }

  /**
   * Whether devices make the checksum right: there is no padding behind the packet, which they
   * would sum, and no IPv6 extension header, which they would take for the protocol
   * (rte_ipv6_phdr_cksum).
   */
  public boolean isPlain() {
    return end == Mbuf.packetLength(mbuf) && (isIpv4 || offset - networkOffset == IPV6_BYTES);
  }

  public int checksum() {
    return u16(offset + checksumOffset());
  }

  /**
   * The sum of the pseudo header (RFC 9293, section 3.1; RFC 8200, section 8.1), for a segment of
   * so many bytes, its header among them.
   */
  public long pseudoHeaderSum(int segmentBytes) {
    long addresses =
        isIpv4
            ? InternetSum.of(frame + networkOffset + 12, 8)
            : InternetSum.of(frame + networkOffset + 8, 32);
    return addresses + protocol + segmentBytes;
  }

  /** Writes the checksum into the packet. */
  public void checksum(int value) {
    int at = offset + checksumOffset();
    if (at + 2 <= Mbuf.dataLength(mbuf)) {
      NativeMemory.netU16(Mbuf.dataAddress(mbuf) + at, value);
    } else {
      NativeMemory.netU16(copied.address(), value);
      SegmentCopy.write(mbuf, at, copied, 0, 2);
    }
  }

  /**
   * Writes the sum of the pseudo header alone where the checksum stands, as the kernel wants it
   * before who transmits adds the rest (CHECKSUM_PARTIAL of linux/skbuff.h).
   */
  public void beginChecksum() {
    checksum(InternetSum.fold(pseudoHeaderSum(end - offset)));
  }

  /** Writes the checksum over all that it covers. */
  public void completeChecksum() {
    checksum(0);
    long sum = pseudoHeaderSum(end - offset) + InternetSum.ofSegments(mbuf, offset, end - offset);
    int checksum = ~InternetSum.fold(sum) & 0xFFFF;
    // In UDP, 0 says that there is none (RFC 768).
    checksum(checksum == 0 && protocol == UDP ? 0xFFFF : checksum);
  }
}
