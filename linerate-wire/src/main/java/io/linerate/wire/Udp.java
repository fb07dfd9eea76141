package io.linerate.wire;

import io.linerate.core.memory.Packet;

/**
 * The UDP header, RFC 768.
 *
 * <pre>
 *   0                   1                   2                   3
 *   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *  |          Source Port          |        Destination Port       |
 *  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *  |            Length             |           Checksum            |
 *  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 * </pre>
 */
public final class Udp extends HeaderView<Udp> {
  static final int SOURCE_PORT = 0;
  static final int DESTINATION_PORT = SOURCE_PORT + 2;
  static final int LENGTH = DESTINATION_PORT + 2;
  static final int CHECKSUM = LENGTH + 2;
  public static final int HEADER_BYTES = CHECKSUM + 2;

  /** Whether the header is there. */
  public static boolean fits(Packet packet, int offset) {
    return offset >= 0 && offset <= packet.length() - HEADER_BYTES;
  }

  public Udp wrap(Packet newPacket, int newOffset) {
    return at(newPacket, newOffset);
  }

  public int sourcePort() {
    return packet.u16(offset + SOURCE_PORT);
  }

  public Udp sourcePort(int port) {
    return u16(SOURCE_PORT, port);
  }

  public int destinationPort() {
    return packet.u16(offset + DESTINATION_PORT);
  }

  public Udp destinationPort(int port) {
    return u16(DESTINATION_PORT, port);
  }

  /** Bytes of header and payload, as the sender claims: may be more or less than there are. */
  public int length() {
    return packet.u16(offset + LENGTH);
  }

  public Udp length(int bytes) {
    return u16(LENGTH, bytes);
  }

  /** 0 when the sender made none. */
  public int checksum() {
    return packet.u16(offset + CHECKSUM);
  }

  public Udp checksum(int checksum) {
    return u16(CHECKSUM, checksum);
  }

  /** Offset of the first byte behind the header. */
  public int payloadOffset() {
    return offset + HEADER_BYTES;
  }

  /** Bytes of payload that are really there: never beyond the packet, never below 0. */
  public int payloadBytes() {
    return Math.max(0, Math.min(length(), packet.length() - offset) - HEADER_BYTES);
  }
}
