package io.linerate.wire;

import io.linerate.core.memory.Packet;

/**
 * The TCP header, RFC 9293 section 3.1.
 *
 * <pre>
 *   0                   1                   2                   3
 *   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *  |          Source Port          |        Destination Port       |
 *  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *  |                        Sequence Number                        |
 *  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *  |                     Acknowledgment Number                     |
 *  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *  |  Data |       |C|E|U|A|P|R|S|F|                               |
 *  | Offset| Rsrvd |W|C|R|C|S|S|Y|I|            Window             |
 *  |       |       |R|E|G|K|H|T|N|N|                               |
 *  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *  |           Checksum            |         Urgent Pointer        |
 *  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *  |                           [Options]                           |
 *  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 * </pre>
 *
 * <p>Options are known by their offset in the packet, see {@link Ipv4}; {@link TcpOptions} reads
 * the usual ones.
 */
public final class Tcp extends HeaderView<Tcp> {
  private static final int SOURCE_PORT = 0;
  private static final int DESTINATION_PORT = SOURCE_PORT + 2;
  private static final int SEQUENCE_NUMBER = DESTINATION_PORT + 2;
  private static final int ACKNOWLEDGMENT_NUMBER = SEQUENCE_NUMBER + 4;
  static final int DATA_OFFSET = ACKNOWLEDGMENT_NUMBER + 4;
  private static final int FLAGS = DATA_OFFSET + 1;
  private static final int WINDOW = FLAGS + 1;
  static final int CHECKSUM = WINDOW + 2;
  private static final int URGENT_POINTER = CHECKSUM + 2;

  /** Bytes of a header without options. */
  public static final int HEADER_BYTES = URGENT_POINTER + 2;

  /** The smallest data offset: no options. */
  public static final int MIN_DATA_OFFSET = HEADER_BYTES / 4;

  public static final int FIN = 0x01;
  public static final int SYN = 0x02;
  public static final int RST = 0x04;
  public static final int PSH = 0x08;
  public static final int ACK = 0x10;
  public static final int URG = 0x20;
  public static final int ECE = 0x40;
  public static final int CWR = 0x80;

  /** Whether a header is there, with all the options that its data offset claims. */
  public static boolean fits(Packet packet, int offset) {
    int room = packet.length() - offset;
    if (offset < 0 || room < HEADER_BYTES) {
      return false;
    }
    int dataOffset = packet.u8(offset + DATA_OFFSET) >>> 4;
    return dataOffset >= MIN_DATA_OFFSET && 4 * dataOffset <= room;
  }

  public Tcp wrap(Packet newPacket, int newOffset) {
    return at(newPacket, newOffset);
  }

  public int sourcePort() {
    return packet.u16(offset + SOURCE_PORT);
  }

  public Tcp sourcePort(int port) {
    return u16(SOURCE_PORT, port);
  }

  public int destinationPort() {
    return packet.u16(offset + DESTINATION_PORT);
  }

  public Tcp destinationPort(int port) {
    return u16(DESTINATION_PORT, port);
  }

  public long sequenceNumber() {
    return packet.u32(offset + SEQUENCE_NUMBER);
  }

  public Tcp sequenceNumber(long number) {
    return u32(SEQUENCE_NUMBER, number);
  }

  public long acknowledgmentNumber() {
    return packet.u32(offset + ACKNOWLEDGMENT_NUMBER);
  }

  public Tcp acknowledgmentNumber(long number) {
    return u32(ACKNOWLEDGMENT_NUMBER, number);
  }

  /** Length of the header with options, in words of 4 bytes. */
  public int dataOffset() {
    return packet.u8(offset + DATA_OFFSET) >>> 4;
  }

  /** Clears the reserved bits too. Voids {@link #fits}. */
  public Tcp dataOffset(int words) {
    FieldRange.check("data offset", words, 0xF);
    return u8(DATA_OFFSET, words << 4);
  }

  /** Length of the header with options, in bytes, as the data offset claims. */
  public int headerBytes() {
    return 4 * dataOffset();
  }

  /** Offset of the first byte behind the header. */
  public int payloadOffset() {
    return offset + headerBytes();
  }

  /** All eight flags: {@link #FIN} and its kind. */
  public int flags() {
    return packet.u8(offset + FLAGS);
  }

  public Tcp flags(int flags) {
    return u8(FLAGS, flags);
  }

  /** Whether all of these flags are set: {@code has(Tcp.SYN | Tcp.ACK)}. */
  public boolean has(int flags) {
    return (flags() & flags) == flags;
  }

  public int window() {
    return packet.u16(offset + WINDOW);
  }

  public Tcp window(int window) {
    return u16(WINDOW, window);
  }

  public int checksum() {
    return packet.u16(offset + CHECKSUM);
  }

  public Tcp checksum(int checksum) {
    return u16(CHECKSUM, checksum);
  }

  public int urgentPointer() {
    return packet.u16(offset + URGENT_POINTER);
  }

  public Tcp urgentPointer(int pointer) {
    return u16(URGENT_POINTER, pointer);
  }

  /** Offset in the packet of the first option, or -1 when there is none. */
  public int firstOption() {
    return Options.valid(packet, offset + HEADER_BYTES, payloadOffset());
  }

  /** Offset of the option behind the one at {@code at}, or -1 at the end or before a broken one. */
  public int nextOption(int at) {
    return Options.next(packet, at, payloadOffset());
  }

  /** Offset of the first option of that kind, or -1. */
  public int findOption(int kind) {
    return Options.find(packet, offset + HEADER_BYTES, payloadOffset(), kind);
  }

  public int optionKind(int at) {
    return packet.u8(at);
  }

  /** Bytes of the option, kind and length byte included. */
  public int optionLength(int at) {
    return Options.length(packet, at);
  }

  /** Whether no option is broken: too short, or longer than the header. */
  public boolean optionsIntact() {
    return Options.intact(packet, offset + HEADER_BYTES, payloadOffset());
  }
}
