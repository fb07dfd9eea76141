package io.linerate.wire;

import io.linerate.core.memory.Packet;

/**
 * An IPv6 extension header, RFC 8200 section 4: hop-by-hop options, routing, fragment,
 * authentication (RFC 4302) or destination options. A header does not say what it is: the one
 * before does.
 *
 * <pre>
 *   0                   1                   2                   3
 *   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *  |  Next Header  |  Hdr Ext Len  |  (fragment) Fragment Off|Res|M|
 *  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *  |                  (fragment) Identification                    |
 *  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 * </pre>
 *
 * <p>The list is walked without an object:
 *
 * <pre>{@code
 * for (boolean more = extension.first(packet, offsetOfIpv6); more; more = extension.next()) {
 *   switch (extension.type()) { ... }
 * }
 * }</pre>
 *
 * <p>Encrypted payload (ESP) and the headers of mobility, HIP and Shim6, behind which nothing
 * follows in practice, are no extension headers here, as in Linux: they are what the packet
 * carries.
 */
public final class Ipv6Extension extends HeaderView<Ipv6Extension> {
  private static final int NEXT_HEADER = 0;
  private static final int HDR_EXT_LEN = NEXT_HEADER + 1;
  static final int FRAGMENT_OFFSET_M = HDR_EXT_LEN + 1;
  private static final int IDENTIFICATION = FRAGMENT_OFFSET_M + 2;

  /** Bytes of the shortest extension header, and of the fragment header. */
  public static final int HEADER_BYTES = IDENTIFICATION + 4;

  private int type;

  /** Whether the header that {@code protocol} announces is an extension header. */
  public static boolean isExtension(int protocol) {
    return switch (protocol) {
      case IpProtocol.HOPOPT,
          IpProtocol.IPV6_ROUTE,
          IpProtocol.IPV6_FRAG,
          IpProtocol.AH,
          IpProtocol.IPV6_OPTS ->
          true;
      default -> false;
    };
  }

  /**
   * Whether an extension header of that type is there, with the whole length that it claims.
   *
   * @param type the number that the header before it announces
   */
  public static boolean fits(Packet packet, int offset, int type) {
    int room = packet.length() - offset;
    return offset >= 0
        && isExtension(type)
        && room >= HEADER_BYTES
        && headerBytes(packet, offset, type) <= room;
  }

  /** Length that the header claims, in bytes. */
  static int headerBytes(Packet packet, int offset, int type) {
    int length = packet.u8(offset + HDR_EXT_LEN);
    return switch (type) {
      case IpProtocol.IPV6_FRAG -> HEADER_BYTES;
      // RFC 4302, section 2.2: in words of 4 bytes, minus 2; the shortest that IPv6 allows has 8.
      case IpProtocol.AH -> Math.max(HEADER_BYTES, 4 * (length + 2));
      default -> 8 * (length + 1);
    };
  }

  public Ipv6Extension wrap(Packet newPacket, int newOffset, int newType) {
    packet = newPacket;
    offset = newOffset;
    type = newType;
    return this;
  }

  /**
   * Moves to the first extension header.
   *
   * @param ipv6Offset offset of an IPv6 header that fits
   * @return whether there is one, wholly in the packet
   */
  public boolean first(Packet newPacket, int ipv6Offset) {
    int nextType = newPacket.u8(ipv6Offset + Ipv6.NEXT_HEADER);
    return move(newPacket, ipv6Offset + Ipv6.HEADER_BYTES, nextType);
  }

  /**
   * Moves to the extension header behind this one. Behind the fragment header of a later fragment
   * there is none: what follows there is a piece of payload.
   *
   * @return whether there is one, wholly in the packet
   */
  public boolean next() {
    if (isLaterFragment()) {
      return false;
    }
    return move(packet, payloadOffset(), nextHeader());
  }

  private boolean move(Packet newPacket, int newOffset, int newType) {
    if (!fits(newPacket, newOffset, newType)) {
      return false;
    }
    wrap(newPacket, newOffset, newType);
    return true;
  }

  /** What this header is, see {@link IpProtocol}. */
  public int type() {
    return type;
  }

  public int nextHeader() {
    return packet.u8(offset + NEXT_HEADER);
  }

  public Ipv6Extension nextHeader(int protocol) {
    return u8(NEXT_HEADER, protocol);
  }

  /** The length byte: units of 8 bytes behind the first 8, or of 4 bytes for authentication. */
  public int hdrExtLen() {
    return packet.u8(offset + HDR_EXT_LEN);
  }

  /** Voids {@link #fits}. */
  public Ipv6Extension hdrExtLen(int units) {
    return u8(HDR_EXT_LEN, units);
  }

  public int headerBytes() {
    return headerBytes(packet, offset, type);
  }

  /** Offset of the first byte behind this header. */
  public int payloadOffset() {
    return offset + headerBytes();
  }

  /** Whether this is the fragment header of a fragment other than the first. */
  public boolean isLaterFragment() {
    return type == IpProtocol.IPV6_FRAG && fragmentOffset() != 0;
  }

  /**
   * Of a fragment header: position of this fragment in the original packet, in units of 8 bytes.
   */
  public int fragmentOffset() {
    return packet.u16(offset + FRAGMENT_OFFSET_M) >>> 3;
  }

  public Ipv6Extension fragmentOffset(int units) {
    FieldRange.check("fragment offset", units, 0x1FFF);
    return u16(FRAGMENT_OFFSET_M, 0xFFF8, units << 3);
  }

  /** Of a fragment header: whether more fragments follow. */
  public boolean moreFragments() {
    return (packet.u16(offset + FRAGMENT_OFFSET_M) & 1) != 0;
  }

  public Ipv6Extension moreFragments(boolean set) {
    return u16(FRAGMENT_OFFSET_M, 1, set ? 1 : 0);
  }

  /** Of a fragment header: what the fragments of one packet share. */
  public int identification() {
    return packet.i32(offset + IDENTIFICATION);
  }

  public Ipv6Extension identification(int identification) {
    return i32(IDENTIFICATION, identification);
  }
}
