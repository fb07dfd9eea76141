package io.linerate.wire;

import io.linerate.core.memory.Packet;

/**
 * The ICMPv6 header, RFC 4443 section 2.1, with the first four bytes of the message body, which
 * every message has. What these mean depends on the type; identifier and sequence number are those
 * of an echo.
 *
 * <pre>
 *   0                   1                   2                   3
 *   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *  |     Type      |     Code      |          Checksum             |
 *  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *  |           Identifier          |        Sequence Number        |
 *  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 * </pre>
 */
public final class Icmpv6 {
  public static final int DESTINATION_UNREACHABLE = 1;
  public static final int PACKET_TOO_BIG = 2;
  public static final int TIME_EXCEEDED = 3;
  public static final int PARAMETER_PROBLEM = 4;
  public static final int ECHO_REQUEST = 128;
  public static final int ECHO_REPLY = 129;
  public static final int ROUTER_SOLICITATION = 133;
  public static final int ROUTER_ADVERTISEMENT = 134;
  public static final int NEIGHBOR_SOLICITATION = 135;
  public static final int NEIGHBOR_ADVERTISEMENT = 136;
  public static final int REDIRECT = 137;

  private static final int TYPE = 0;
  private static final int CODE = TYPE + 1;
  static final int CHECKSUM = CODE + 1;
  private static final int IDENTIFIER = CHECKSUM + 2;
  private static final int SEQUENCE_NUMBER = IDENTIFIER + 2;
  public static final int HEADER_BYTES = SEQUENCE_NUMBER + 2;

  @SuppressWarnings("NullAway.Init")
  private Packet packet;

  private int offset;

  /** Whether the header is there, with the first four bytes of the message body. */
  public static boolean fits(Packet packet, int offset) {
    return offset >= 0 && offset <= packet.length() - HEADER_BYTES;
  }

  public Icmpv6 wrap(Packet newPacket, int newOffset) {
    packet = newPacket;
    offset = newOffset;
    return this;
  }

  /** Offset of the first byte behind the header. */
  public int payloadOffset() {
    return offset + HEADER_BYTES;
  }

  public int type() {
    return packet.u8(offset + TYPE);
  }

  public Icmpv6 type(int type) {
    packet.u8(offset + TYPE, type);
    return this;
  }

  public int code() {
    return packet.u8(offset + CODE);
  }

  public Icmpv6 code(int code) {
    packet.u8(offset + CODE, code);
    return this;
  }

  public int checksum() {
    return packet.u16(offset + CHECKSUM);
  }

  public Icmpv6 checksum(int checksum) {
    packet.u16(offset + CHECKSUM, checksum);
    return this;
  }

  /** Bytes 4 to 7 as they are: an MTU, a pointer, flags. */
  public int restOfHeader() {
    return packet.i32(offset + IDENTIFIER);
  }

  public Icmpv6 restOfHeader(int value) {
    packet.i32(offset + IDENTIFIER, value);
    return this;
  }

  public int identifier() {
    return packet.u16(offset + IDENTIFIER);
  }

  public Icmpv6 identifier(int identifier) {
    packet.u16(offset + IDENTIFIER, identifier);
    return this;
  }

  public int sequenceNumber() {
    return packet.u16(offset + SEQUENCE_NUMBER);
  }

  public Icmpv6 sequenceNumber(int number) {
    packet.u16(offset + SEQUENCE_NUMBER, number);
    return this;
  }

  /** Whether messages of that type carry the packet that caused them: RFC 4443, section 2.1. */
  public static boolean isError(int type) {
    return type < 128;
  }
}
