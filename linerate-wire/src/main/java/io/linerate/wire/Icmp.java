package io.linerate.wire;

import io.linerate.core.memory.Packet;

/**
 * The header of ICMP, RFC 792, and of ICMPv6, RFC 4443 section 2.1, with the first four bytes of
 * the message body, which every message has. What these mean depends on the type; identifier and
 * sequence number are those of an echo. The constants are the types of ICMP: {@link Icmpv6} has the
 * others.
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
public final class Icmp extends HeaderView<Icmp> {
  public static final int ECHO_REPLY = 0;
  public static final int DESTINATION_UNREACHABLE = 3;
  private static final int SOURCE_QUENCH = 4;
  public static final int REDIRECT = 5;
  public static final int ECHO = 8;
  public static final int TIME_EXCEEDED = 11;
  public static final int PARAMETER_PROBLEM = 12;
  public static final int TIMESTAMP = 13;
  public static final int TIMESTAMP_REPLY = 14;

  private static final int TYPE = 0;
  private static final int CODE = TYPE + 1;
  static final int CHECKSUM = CODE + 1;
  static final int IDENTIFIER = CHECKSUM + 2;
  private static final int SEQUENCE_NUMBER = IDENTIFIER + 2;
  public static final int HEADER_BYTES = SEQUENCE_NUMBER + 2;

  private static final int INFORMATION = 15; // RFC 792.
  private static final int ADDRESS_MASK = 17; // RFC 950, appendix I.

  /**
   * The type of the request to which a message belongs that asks or answers, and so has an
   * identifier; -1 for others.
   *
   * @param protocol {@link IpProtocol#ICMP} or {@link IpProtocol#ICMPV6}
   */
  static int requestOf(int protocol, int type) {
    if (protocol == IpProtocol.ICMPV6) {
      return type == Icmpv6.ECHO_REQUEST || type == Icmpv6.ECHO_REPLY ? Icmpv6.ECHO_REQUEST : -1;
    }
    return switch (type) {
      case ECHO, ECHO_REPLY -> ECHO;
      case TIMESTAMP, TIMESTAMP_REPLY -> TIMESTAMP;
      case INFORMATION, INFORMATION + 1 -> INFORMATION;
      case ADDRESS_MASK, ADDRESS_MASK + 1 -> ADDRESS_MASK;
      default -> -1;
    };
  }

  /**
   * Whether a message is a query that has an identifier, such as an echo.
   *
   * @param protocol {@link IpProtocol#ICMP} or {@link IpProtocol#ICMPV6}
   */
  public static boolean isRequest(int protocol, int type) {
    return requestOf(protocol, type) == type;
  }

  /**
   * Whether a message is an error, which quotes the packet that it is about: RFC 1122, section
   * 3.2.2, and RFC 4443, section 2.1.
   *
   * @param protocol {@link IpProtocol#ICMP} or {@link IpProtocol#ICMPV6}
   */
  public static boolean isError(int protocol, int type) {
    if (protocol == IpProtocol.ICMPV6) {
      return type < Icmpv6.ECHO_REQUEST;
    }
    return switch (type) {
      case DESTINATION_UNREACHABLE, SOURCE_QUENCH, REDIRECT, TIME_EXCEEDED, PARAMETER_PROBLEM ->
          true;
      default -> false;
    };
  }

  /** Whether the header is there. */
  public static boolean fits(Packet packet, int offset) {
    return offset >= 0 && offset <= packet.length() - HEADER_BYTES;
  }

  public Icmp wrap(Packet newPacket, int newOffset) {
    return at(newPacket, newOffset);
  }

  /** Offset of the first byte behind the header. */
  public int payloadOffset() {
    return offset + HEADER_BYTES;
  }

  public int type() {
    return packet.u8(offset + TYPE);
  }

  public Icmp type(int type) {
    return u8(TYPE, type);
  }

  public int code() {
    return packet.u8(offset + CODE);
  }

  public Icmp code(int code) {
    return u8(CODE, code);
  }

  public int checksum() {
    return packet.u16(offset + CHECKSUM);
  }

  public Icmp checksum(int checksum) {
    return u16(CHECKSUM, checksum);
  }

  /** Bytes 4 to 7 as they are, for types other than echo: an MTU, a pointer, flags. */
  public int restOfHeader() {
    return packet.i32(offset + IDENTIFIER);
  }

  public Icmp restOfHeader(int value) {
    return i32(IDENTIFIER, value);
  }

  public int identifier() {
    return packet.u16(offset + IDENTIFIER);
  }

  public Icmp identifier(int identifier) {
    return u16(IDENTIFIER, identifier);
  }

  public int sequenceNumber() {
    return packet.u16(offset + SEQUENCE_NUMBER);
  }

  public Icmp sequenceNumber(int number) {
    return u16(SEQUENCE_NUMBER, number);
  }

  /** Whether messages of that type carry the packet that caused them: RFC 792. */
  public static boolean isError(int type) {
    return switch (type) {
      case DESTINATION_UNREACHABLE, 4, REDIRECT, TIME_EXCEEDED, PARAMETER_PROBLEM -> true;
      default -> false;
    };
  }
}
