package io.linerate.wire;

import io.linerate.core.memory.Packet;

/**
 * The IPv6 header, RFC 8200 section 3. An address is two {@code long}s, see {@link Ipv6Address}.
 *
 * <pre>
 *   0                   1                   2                   3
 *   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *  |Version| Traffic Class |           Flow Label                  |
 *  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *  |         Payload Length        |  Next Header  |   Hop Limit   |
 *  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *  |                                                               |
 *  +                                                               +
 *  |                         Source Address                        |
 *  +                                                               +
 *  |                                                               |
 *  +                                                               +
 *  |                                                               |
 *  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *  |                                                               |
 *  +                                                               +
 *  |                      Destination Address                      |
 *  +                                                               +
 *  |                                                               |
 *  +                                                               +
 *  |                                                               |
 *  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 * </pre>
 *
 * <p>Extension headers follow it: see {@link Ipv6Extension}.
 */
public final class Ipv6 extends HeaderView<Ipv6> {
  private static final int VERSION_CLASS_LABEL = 0;
  static final int PAYLOAD_LENGTH = VERSION_CLASS_LABEL + 4;
  static final int NEXT_HEADER = PAYLOAD_LENGTH + 2;
  static final int HOP_LIMIT = NEXT_HEADER + 1;
  static final int SOURCE = HOP_LIMIT + 1;
  static final int DESTINATION = SOURCE + 16;

  /** Bytes of the header without extension headers. */
  public static final int HEADER_BYTES = DESTINATION + 16;

  public static final int VERSION = 6;

  private static final int CLASS_SHIFT = 20;
  private static final int LABEL_MASK = 0xF_FFFF;

  /** Whether a header of version 6 is there. */
  public static boolean fits(Packet packet, int offset) {
    return offset >= 0
        && offset <= packet.length() - HEADER_BYTES
        && packet.u8(offset) >>> 4 == VERSION;
  }

  public Ipv6 wrap(Packet newPacket, int newOffset) {
    return at(newPacket, newOffset);
  }

  public int version() {
    return packet.u8(offset + VERSION_CLASS_LABEL) >>> 4;
  }

  /** Voids {@link #fits}. */
  public Ipv6 version(int version) {
    FieldRange.check("version", version, 0xF);
    return i32(VERSION_CLASS_LABEL, 0xF << 28, version << 28);
  }

  /** DSCP in the upper six bits, ECN in the lower two. */
  public int trafficClass() {
    return packet.i32(offset + VERSION_CLASS_LABEL) >>> CLASS_SHIFT & 0xFF;
  }

  public Ipv6 trafficClass(int trafficClass) {
    FieldRange.check("traffic class", trafficClass, 0xFF);
    return i32(VERSION_CLASS_LABEL, 0xFF << CLASS_SHIFT, trafficClass << CLASS_SHIFT);
  }

  public int flowLabel() {
    return packet.i32(offset + VERSION_CLASS_LABEL) & LABEL_MASK;
  }

  public Ipv6 flowLabel(int label) {
    FieldRange.check("flow label", label, LABEL_MASK);
    return i32(VERSION_CLASS_LABEL, LABEL_MASK, label);
  }

  /** Bytes behind this header, extension headers included, as the sender claims. */
  public int payloadLength() {
    return packet.u16(offset + PAYLOAD_LENGTH);
  }

  public Ipv6 payloadLength(int bytes) {
    return u16(PAYLOAD_LENGTH, bytes);
  }

  /** Offset of the first byte behind this header: of the first extension header, if any. */
  public int payloadOffset() {
    return offset + HEADER_BYTES;
  }

  /** Bytes behind this header that are really there: never beyond the packet. */
  public int payloadBytes() {
    return Math.min(payloadLength(), Math.max(0, packet.length() - payloadOffset()));
  }

  /** What follows this header, see {@link IpProtocol}: often not yet the upper layer. */
  public int nextHeader() {
    return packet.u8(offset + NEXT_HEADER);
  }

  public Ipv6 nextHeader(int protocol) {
    return u8(NEXT_HEADER, protocol);
  }

  public int hopLimit() {
    return packet.u8(offset + HOP_LIMIT);
  }

  public Ipv6 hopLimit(int hopLimit) {
    return u8(HOP_LIMIT, hopLimit);
  }

  public long sourceHigh() {
    return packet.u64(offset + SOURCE);
  }

  public long sourceLow() {
    return packet.u64(offset + SOURCE + 8);
  }

  public Ipv6 source(long high, long low) {
    return u128(SOURCE, high, low);
  }

  public long destinationHigh() {
    return packet.u64(offset + DESTINATION);
  }

  public long destinationLow() {
    return packet.u64(offset + DESTINATION + 8);
  }

  public Ipv6 destination(long high, long low) {
    return u128(DESTINATION, high, low);
  }
}
