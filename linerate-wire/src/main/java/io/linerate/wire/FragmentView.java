package io.linerate.wire;

import io.linerate.core.memory.Packet;

/**
 * What a fragment says about itself: of IPv4 as RFC 791, section 3.2 has it, of IPv6 as RFC 8200,
 * section 4.5. Make one and use it for every packet; the answers hold until the next {@link #read}.
 *
 * <pre>{@code
 * if (scanner.scan(packet) && scanner.isFragment()
 *     && fragment.read(packet, scanner) == FragmentDefect.NONE) {
 *   int from = fragment.offset();
 * }
 * }</pre>
 */
public final class FragmentView {
  /** Before the bytes that are put together, at most. */
  public static final int MAX_HEADER_BYTES = 2_048;

  /** Of an IP packet: its length has 16 bits. */
  static final int MAX_IP_BYTES = 65_535;

  private static final int UNIT_BYTES = 8;
  private static final long IDENTIFICATION = 0xFFFF_FFFFL;

  private final long seed;
  private final Ipv4 ipv4 = new Ipv4();
  private final Ipv6 ipv6 = new Ipv6();
  private final Ipv6Extension extension = new Ipv6Extension();

  // What the fragments of one packet share.
  long sourceHigh;
  long sourceLow;
  long destinationHigh;
  long destinationLow;

  /** Identification, and for IPv4 the protocol above it. */
  long key;

  /** VLAN tags and version: what comes by different ways is not put together. */
  long link;

  private boolean isIpv4;
  private int l3Offset;
  private int headerOffset;
  private int announcedAt;
  private int payloadOffset;
  private int bytes;
  private int offset;
  private boolean hasMore;
  private int protocol;

  /** A view whose hashes are the same in every run. */
  public FragmentView() {
    this(0);
  }

  /**
   * @param seed changes every hash
   */
  public FragmentView(long seed) {
    this.seed = seed;
  }

  /**
   * Reads a packet that was just scanned, is sound up to L3, and is a fragment.
   *
   * @return what is wrong with it
   */
  public FragmentDefect read(Packet packet, HeaderScanner scanner) {
    l3Offset = scanner.l3Offset();
    isIpv4 = scanner.ipVersion() == Ipv4.VERSION;
    link = scanner.ipVersion();
    for (int tags = scanner.vlanTags(); tags > 0; tags--) {
      link = link << 16 | packet.u16(l3Offset - tags * Vlan.HEADER_BYTES);
    }
    int end = isIpv4 ? readIpv4(packet) : readIpv6(packet);
    if (end > packet.length()) {
      return FragmentDefect.TRUNCATED;
    }
    bytes = end - payloadOffset;
    boolean isBad =
        bytes <= 0
            || offset + bytes > MAX_IP_BYTES
            || (hasMore && bytes % UNIT_BYTES != 0)
            || payloadOffset > MAX_HEADER_BYTES;
    return isBad ? FragmentDefect.MALFORMED : FragmentDefect.NONE;
  }

  /** Returns the offset of the end of the IP packet. */
  private int readIpv4(Packet packet) {
    ipv4.wrap(packet, l3Offset);
    sourceHigh = 0;
    sourceLow = ipv4.source();
    destinationHigh = 0;
    destinationLow = ipv4.destination();
    protocol = ipv4.protocol();
    key = (long) protocol << 32 | ipv4.identification();
    payloadOffset = ipv4.payloadOffset();
    headerOffset = payloadOffset;
    offset = UNIT_BYTES * ipv4.fragmentOffset();
    hasMore = ipv4.moreFragments();
    return l3Offset + ipv4.totalLength();
  }

  private int readIpv6(Packet packet) {
    ipv6.wrap(packet, l3Offset);
    sourceHigh = ipv6.sourceHigh();
    sourceLow = ipv6.sourceLow();
    destinationHigh = ipv6.destinationHigh();
    destinationLow = ipv6.destinationLow();
    announcedAt = l3Offset + Ipv6.NEXT_HEADER;
    headerOffset = ipv6.payloadOffset();
    boolean isThere = extension.first(packet, l3Offset);
    while (isThere && extension.type() != IpProtocol.IPV6_FRAG) {
      announcedAt = headerOffset;
      headerOffset = extension.payloadOffset();
      isThere = extension.next();
    }
    protocol = extension.nextHeader();
    key = extension.identification() & IDENTIFICATION;
    payloadOffset = extension.payloadOffset();
    offset = UNIT_BYTES * extension.fragmentOffset();
    hasMore = extension.moreFragments();
    return ipv6.payloadOffset() + ipv6.payloadLength();
  }

  /** Whether it is of IPv4; of IPv6 otherwise. */
  public boolean isIpv4() {
    return isIpv4;
  }

  /** What the fragments of one packet share, with its addresses: 16 bits of IPv4, 32 of IPv6. */
  public long identification() {
    return key & IDENTIFICATION;
  }

  /**
   * What its pieces begin with, see {@link IpProtocol}: of IPv6 the next header, maybe an extension
   * header, which counts in the first fragment alone.
   */
  public int protocol() {
    return protocol;
  }

  /** Offset in the packet of the IP header. */
  public int l3Offset() {
    return l3Offset;
  }

  /** Offset in the packet of IPv6's fragment header; of the payload for IPv4. */
  public int headerOffset() {
    return headerOffset;
  }

  /** Offset in the packet of the field that announces IPv6's fragment header. */
  public int announcedAt() {
    return announcedAt;
  }

  /** Offset in the packet of its piece. */
  public int payloadOffset() {
    return payloadOffset;
  }

  /** Length of its piece, 1 to 65,535. */
  public int bytes() {
    return bytes;
  }

  /** Where the piece belongs in the whole, in bytes. */
  public int offset() {
    return offset;
  }

  /** Whether it is not the last piece. */
  public boolean hasMore() {
    return hasMore;
  }

  /** Bytes of its headers that the length field of IP would count in the whole packet, too. */
  int countedHeaderBytes() {
    return headerOffset - l3Offset - (isIpv4 ? 0 : Ipv6.HEADER_BYTES);
  }

  /** A hash of what the fragments of one packet share, well mixed in all 64 bits. */
  public long hash() {
    long source = FlowKey.mix(FlowKey.mix(sourceHigh + seed) + sourceLow);
    long destination = FlowKey.mix(FlowKey.mix(destinationHigh + seed) + destinationLow);
    return FlowKey.mix(FlowKey.mix(source + key) + FlowKey.mix(destination + link));
  }
}
