package io.linerate.wire;

import io.linerate.core.memory.Packet;

/**
 * Finds the layers of an Ethernet packet in one pass: up to two VLAN tags, IPv4 with options and
 * authentication headers, IPv6 with extension headers, the header of TCP, UDP, ICMP or ICMPv6. It
 * leaves offsets, which the views take.
 *
 * <p>It believes no length that it finds, does a bounded amount of work, and throws for no content
 * whatever; what it does not like it names, see {@link #defect}. It allocates nothing: make one and
 * use it for every packet. The answers hold until the next scan or until the packet changes.
 *
 * <pre>{@code
 * if (scanner.scan(packet) && scanner.ipVersion() == 4) {
 *   int source = ipv4.wrap(packet, scanner.l3Offset()).source();
 * }
 * }</pre>
 */
public final class HeaderScanner {
  /** Extension headers of one packet at most: RFC 8504, section 5.3 has hosts limit them to 8. */
  public static final int MAX_EXTENSION_HEADERS = 8;

  public static final int MAX_VLAN_TAGS = 2;

  /** Ether type, version and IHL of IPv4 without options: the first three bytes from offset 12. */
  private static final long ETHERNET_IPV4_IHL5 = 0x0800_45L;

  private static final int FRAGMENT = Ipv4.MORE_FRAGMENTS | Ipv4.FRAGMENT_OFFSET_MASK;
  private static final int ETHER_TYPE = Ethernet.HEADER_BYTES - 2;
  private static final int L3_UNTAGGED = Ethernet.HEADER_BYTES;
  private static final int L4_PLAIN = L3_UNTAGGED + Ipv4.HEADER_BYTES;

  /**
   * Of the shortest packet that is scanned the short way: all that is read there is in it. The
   * compiler may look for that before it is known what is read.
   */
  private static final int LEAST_PLAIN_BYTES = L4_PLAIN + Tcp.DATA_OFFSET + 1;

  private final LinkHeader link = new LinkHeader();
  private int etherType;
  private int vlanTags;
  private int l3Offset;
  private int ipVersion;
  private int ipProtocol;
  private int ipEnd;
  private int l4Offset;

  /** As IPv4's header has it: {@link Ipv4#MORE_FRAGMENTS} and {@link Ipv4#FRAGMENT_OFFSET_MASK}. */
  private int fragment;

  private boolean l4Fits;
  private HeaderDefect defect = HeaderDefect.TRUNCATED_ETHERNET;

  /**
   * Scans a packet that begins with an Ethernet header.
   *
   * @return whether the headers up to that of IP are sound; true for a packet that is not IP
   * @throws IllegalStateException if the packet was sent or dropped
   */
  public boolean scan(Packet packet) {
    int length = packet.length();
    if (length >= LEAST_PLAIN_BYTES) {
      long words = packet.u64(ETHER_TYPE);
      if (words >>> 40 == ETHERNET_IPV4_IHL5) {
        return plainIpv4(packet, length, (int) (words >>> 16) & 0xFFFF);
      }
    }
    return anything(packet, length);
  }

  /**
   * Scans a packet of any link type, see {@link LinkHeader}. One that names no ether type has none
   * here either, and nothing that follows it.
   *
   * @return as {@link #scan}
   */
  public boolean scanAny(Packet packet) {
    if (packet.isEthernet()) {
      return scan(packet);
    }
    forget();
    if (!link.read(packet)) {
      return end(HeaderDefect.TRUNCATED_LINK);
    }
    return link.etherType() < 0
        ? end(HeaderDefect.NONE)
        : layers(packet, packet.length(), link.etherType(), link.payloadOffset());
  }

  /**
   * Scans what is in a packet from an offset on, as the packet in a tunnel is; offsets count from
   * the start of the whole packet. Nothing is left of what was found before it.
   *
   * @param type what its first header is: see {@link CarriedPacket}
   * @param offset of that header, up to the length of the packet
   * @return as {@link #scan(Packet)}
   */
  public boolean scan(Packet packet, int type, int offset) {
    forget();
    return layers(packet, packet.length(), type, offset);
  }

  /** Untagged IPv4 without options, which is most of the traffic: two wide reads instead of six. */
  private boolean plainIpv4(Packet packet, int length, int totalLength) {
    etherType = EtherType.IPV4;
    vlanTags = 0;
    l3Offset = L3_UNTAGGED;
    return ipv4Body(packet, length, Ipv4.HEADER_BYTES, totalLength);
  }

  private boolean anything(Packet packet, int length) {
    forget();
    if (length < Ethernet.HEADER_BYTES) {
      return end(HeaderDefect.TRUNCATED_ETHERNET);
    }
    return layers(packet, length, packet.u16(ETHER_TYPE), Ethernet.HEADER_BYTES);
  }

  /** What follows the ether type {@code first}. */
  private boolean layers(Packet packet, int length, int first, int start) {
    int type = first;
    int at = start;
    while (vlanTags < MAX_VLAN_TAGS && EtherType.isVlan(type)) {
      if (length - at < Vlan.HEADER_BYTES) {
        return end(HeaderDefect.TRUNCATED_VLAN);
      }
      type = packet.u16(at + Vlan.ETHER_TYPE);
      at += Vlan.HEADER_BYTES;
      vlanTags++;
    }
    etherType = type;
    l3Offset = at;
    return switch (type) {
      case EtherType.IPV4 -> ipv4(packet, length);
      case EtherType.IPV6 -> ipv6(packet, length);
      default -> end(HeaderDefect.NONE);
    };
  }

  private boolean ipv4(Packet packet, int length) {
    int room = length - l3Offset;
    if (room < 1) {
      return end(HeaderDefect.TRUNCATED_IP);
    }
    int versionIhl = packet.u8(l3Offset);
    if (versionIhl >>> 4 != Ipv4.VERSION) {
      return end(HeaderDefect.BAD_IP_VERSION);
    }
    int headerBytes = 4 * (versionIhl & 0xF);
    if (headerBytes < Ipv4.HEADER_BYTES) {
      return end(HeaderDefect.BAD_HEADER_LENGTH);
    }
    if (room < headerBytes) {
      return end(HeaderDefect.TRUNCATED_IP);
    }
    return ipv4Body(packet, length, headerBytes, packet.u16(l3Offset + Ipv4.TOTAL_LENGTH));
  }

  private boolean ipv4Body(Packet packet, int length, int headerBytes, int totalLength) {
    int fragmentTtlProtocol = packet.i32(l3Offset + Ipv4.FLAGS_FRAGMENT_OFFSET);
    fragment = fragmentTtlProtocol >>> 16 & FRAGMENT;
    ipVersion = Ipv4.VERSION;
    ipProtocol = fragmentTtlProtocol & 0xFF;
    ipEnd = Math.min(length, l3Offset + totalLength);
    l4Offset = -1;
    l4Fits = false;
    if (totalLength < headerBytes) {
      return end(HeaderDefect.BAD_TOTAL_LENGTH);
    }
    found(l3Offset + totalLength > length ? HeaderDefect.TRUNCATED_PAYLOAD : HeaderDefect.NONE);
    if (ipProtocol == IpProtocol.AH) {
      return authenticatedIpv4(packet, l3Offset + headerBytes);
    }
    return isLaterFragment() || l4(packet, l3Offset + headerBytes, ipProtocol);
  }

  /** What is behind an authentication header (RFC 4302) is read as if that were not there. */
  private boolean authenticatedIpv4(Packet packet, int start) {
    if (isLaterFragment()) {
      ipProtocol = -1;
      return true;
    }
    int at = start;
    for (int seen = 0; ipProtocol == IpProtocol.AH; seen++) {
      if (seen == MAX_EXTENSION_HEADERS) {
        return end(HeaderDefect.TOO_MANY_EXTENSION_HEADERS);
      }
      int room = ipEnd - at;
      if (room < Ipv6Extension.HEADER_BYTES
          || room < Ipv6Extension.headerBytes(packet, at, IpProtocol.AH)) {
        ipProtocol = -1;
        return end(HeaderDefect.TRUNCATED_EXTENSION_HEADER);
      }
      ipProtocol = packet.u8(at);
      at += Ipv6Extension.headerBytes(packet, at, IpProtocol.AH);
    }
    return l4(packet, at, ipProtocol);
  }

  private boolean ipv6(Packet packet, int length) {
    if (l3Offset >= length) {
      return end(HeaderDefect.TRUNCATED_IP);
    }
    if (packet.u8(l3Offset) >>> 4 != Ipv6.VERSION) {
      return end(HeaderDefect.BAD_IP_VERSION);
    }
    if (length - l3Offset < Ipv6.HEADER_BYTES) {
      return end(HeaderDefect.TRUNCATED_IP);
    }
    ipVersion = Ipv6.VERSION;
    int payload = l3Offset + Ipv6.HEADER_BYTES;
    int payloadLength = packet.u16(l3Offset + Ipv6.PAYLOAD_LENGTH);
    int next = packet.u8(l3Offset + Ipv6.NEXT_HEADER);
    // RFC 2675: the length of a jumbogram is an option of its hop-by-hop header.
    boolean jumbogram = payloadLength == 0 && next == IpProtocol.HOPOPT;
    int claimedEnd = jumbogram ? length : payload + payloadLength;
    ipEnd = Math.min(length, claimedEnd);
    found(claimedEnd > length ? HeaderDefect.TRUNCATED_PAYLOAD : HeaderDefect.NONE);
    return extensions(packet, payload, next);
  }

  private boolean extensions(Packet packet, int start, int first) {
    int at = start;
    int protocol = first;
    boolean hasFragmentHeader = false;
    for (int seen = 0; Ipv6Extension.isExtension(protocol); seen++) {
      if (seen == MAX_EXTENSION_HEADERS) {
        return end(HeaderDefect.TOO_MANY_EXTENSION_HEADERS);
      }
      int room = ipEnd - at;
      if (room < Ipv6Extension.HEADER_BYTES
          || room < Ipv6Extension.headerBytes(packet, at, protocol)) {
        return end(HeaderDefect.TRUNCATED_EXTENSION_HEADER);
      }
      int type = protocol;
      protocol = packet.u8(at);
      if (type == IpProtocol.IPV6_FRAG) {
        if (hasFragmentHeader) {
          return end(HeaderDefect.NESTED_FRAGMENT);
        }
        hasFragmentHeader = true;
        int offsetMore = packet.u16(at + Ipv6Extension.FRAGMENT_OFFSET_M);
        fragment = offsetMore >>> 3 | ((offsetMore & 1) != 0 ? Ipv4.MORE_FRAGMENTS : 0);
        if (isLaterFragment()) {
          return laterIpv6Fragment(protocol);
        }
      }
      at += Ipv6Extension.headerBytes(packet, at, type);
    }
    ipProtocol = protocol;
    return l4(packet, at, protocol);
  }

  /** Extension headers that follow the fragment header are in the first fragment only. */
  private boolean laterIpv6Fragment(int protocol) {
    ipProtocol = Ipv6Extension.isExtension(protocol) ? -1 : protocol;
    return true;
  }

  /** Always true: what is wrong from here on does not touch the headers up to L3. */
  private boolean l4(Packet packet, int at, int protocol) {
    int room = ipEnd - at;
    switch (protocol) {
      case IpProtocol.TCP -> tcp(packet, at, room);
      case IpProtocol.UDP -> known(at, room >= Udp.HEADER_BYTES);
      case IpProtocol.ICMP -> known(at, room >= Icmp.HEADER_BYTES);
      case IpProtocol.ICMPV6 -> known(at, room >= Icmp.HEADER_BYTES);
      default -> l4Offset = at;
    }
    return true;
  }

  private void tcp(Packet packet, int at, int room) {
    if (room < Tcp.HEADER_BYTES) {
      known(at, false);
      return;
    }
    int headerBytes = 4 * (packet.u8(at + Tcp.DATA_OFFSET) >>> 4);
    known(at, headerBytes <= room);
    if (headerBytes < Tcp.HEADER_BYTES) {
      l4Fits = false;
      found(HeaderDefect.BAD_DATA_OFFSET);
    }
  }

  private void known(int at, boolean fits) {
    l4Fits = fits;
    if (fits) {
      l4Offset = at;
    } else {
      found(HeaderDefect.TRUNCATED_L4);
    }
  }

  private void forget() {
    etherType = -1;
    vlanTags = 0;
    l3Offset = -1;
    ipVersion = 0;
    ipProtocol = -1;
    ipEnd = -1;
    l4Offset = -1;
    fragment = 0;
    l4Fits = false;
  }

  private boolean end(HeaderDefect last) {
    found(last);
    return last.soundUpToL3();
  }

  /** Nearly always what it was: a reference that is not written is one that costs nothing. */
  private void found(HeaderDefect next) {
    if (defect != next) {
      defect = next;
    }
  }

  /**
   * The ether type behind all tags, see {@link EtherType}; -1 when the packet is too short to have
   * one, or its link layer has none. That of a third tag, if there are more than two.
   */
  public int etherType() {
    return etherType;
  }

  /** Number of VLAN tags before {@link #etherType}: 0 to 2. */
  public int vlanTags() {
    return vlanTags;
  }

  /** Offset of what follows the ether type, -1 when the packet is too short to have one. */
  public int l3Offset() {
    return l3Offset;
  }

  /** 4, 6, or 0 for a packet that is not IP or whose IP header is not there. */
  public int ipVersion() {
    return ipVersion;
  }

  /**
   * The protocol of the upper layer, behind all extension headers: see {@link IpProtocol}. -1 when
   * the packet is not IP, its extension headers are broken, or when only the first fragment knows.
   */
  public int ipProtocol() {
    return ipProtocol;
  }

  /**
   * Offset of the first byte behind the IP packet, which may have padding behind it; never beyond
   * the packet. -1 when the packet is not IP.
   */
  public int ipEnd() {
    return ipEnd;
  }

  /**
   * Offset of what the IP packet carries; -1 when that is not there: not IP, a later fragment, or a
   * TCP, UDP or ICMP header that is cut off.
   */
  public int l4Offset() {
    return l4Offset;
  }

  /** Bytes of what the IP packet carries, header of the upper layer included; 0 without one. */
  public int l4Bytes() {
    return l4Offset < 0 ? 0 : ipEnd - l4Offset;
  }

  /** Whether a whole header of TCP, UDP, ICMP or ICMPv6 is at {@link #l4Offset}. */
  public boolean l4Fits() {
    return l4Fits;
  }

  /** Whether the packet is a part of a larger one, the first part included. */
  public boolean isFragment() {
    return fragment != 0;
  }

  /** Whether it is the part that has the header of the upper layer, and more parts follow. */
  public boolean isFirstFragment() {
    return fragment == Ipv4.MORE_FRAGMENTS;
  }

  /** Whether it is a part without the header of the upper layer. */
  public boolean isLaterFragment() {
    return fragmentOffset() != 0;
  }

  /** Position of the fragment in the whole, in units of 8 bytes. */
  public int fragmentOffset() {
    return fragment & Ipv4.FRAGMENT_OFFSET_MASK;
  }

  /** The first thing that is wrong, or {@link HeaderDefect#NONE}. */
  public HeaderDefect defect() {
    return defect;
  }
}
