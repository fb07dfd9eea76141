package io.linerate.wire;

import io.linerate.core.memory.Packet;

/**
 * The IPv4 header, RFC 791 section 3.1, with DSCP and ECN of RFC 2474 and RFC 3168. Addresses are
 * raw {@code int}s, see {@link Ipv4Address}.
 *
 * <pre>
 *   0                   1                   2                   3
 *   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *  |Version|  IHL  |   DSCP    |ECN|          Total Length         |
 *  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *  |         Identification        |0|D|M|     Fragment Offset     |
 *  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *  |  Time to Live |    Protocol   |        Header Checksum        |
 *  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *  |                        Source Address                         |
 *  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *  |                      Destination Address                      |
 *  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *  |                    Options                    |    Padding    |
 *  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 * </pre>
 *
 * <p>Options are known by their offset in the packet:
 *
 * <pre>{@code
 * for (int at = ipv4.firstOption(); at >= 0; at = ipv4.nextOption(at)) {
 *   switch (ipv4.optionType(at)) { ... }
 * }
 * }</pre>
 */
public final class Ipv4 extends HeaderView<Ipv4> {
  private static final int VERSION_IHL = 0;
  private static final int DSCP_ECN = VERSION_IHL + 1;
  static final int TOTAL_LENGTH = DSCP_ECN + 1;
  private static final int IDENTIFICATION = TOTAL_LENGTH + 2;
  static final int FLAGS_FRAGMENT_OFFSET = IDENTIFICATION + 2;
  static final int TTL = FLAGS_FRAGMENT_OFFSET + 2;
  static final int PROTOCOL = TTL + 1;
  static final int HEADER_CHECKSUM = PROTOCOL + 1;
  static final int SOURCE = HEADER_CHECKSUM + 2;
  static final int DESTINATION = SOURCE + 4;

  /** Bytes of a header without options. */
  public static final int HEADER_BYTES = DESTINATION + 4;

  public static final int VERSION = 4;

  /** The smallest IHL: no options. */
  public static final int MIN_IHL = HEADER_BYTES / 4;

  static final int DONT_FRAGMENT = 0x4000;
  static final int MORE_FRAGMENTS = 0x2000;
  static final int FRAGMENT_OFFSET_MASK = 0x1FFF;

  /** Whether a header of version 4 is there, with all the options that its IHL claims. */
  public static boolean fits(Packet packet, int offset) {
    int room = packet.length() - offset;
    if (offset < 0 || room < HEADER_BYTES) {
      return false;
    }
    int versionIhl = packet.u8(offset + VERSION_IHL);
    int ihl = versionIhl & 0xF;
    return versionIhl >>> 4 == VERSION && ihl >= MIN_IHL && 4 * ihl <= room;
  }

  public Ipv4 wrap(Packet newPacket, int newOffset) {
    return at(newPacket, newOffset);
  }

  public int version() {
    return packet.u8(offset + VERSION_IHL) >>> 4;
  }

  /** Voids {@link #fits}. */
  public Ipv4 version(int version) {
    FieldRange.check("version", version, 0xF);
    return u8(VERSION_IHL, version << 4 | ihl());
  }

  /** Length of the header with options, in words of 4 bytes. */
  public int ihl() {
    return packet.u8(offset + VERSION_IHL) & 0xF;
  }

  /** Voids {@link #fits}. */
  public Ipv4 ihl(int words) {
    FieldRange.check("IHL", words, 0xF);
    return u8(VERSION_IHL, version() << 4 | words);
  }

  /** Length of the header with options, in bytes, as the IHL claims. */
  public int headerBytes() {
    return 4 * ihl();
  }

  public int dscp() {
    return packet.u8(offset + DSCP_ECN) >>> 2;
  }

  public Ipv4 dscp(int dscp) {
    FieldRange.check("DSCP", dscp, 0x3F);
    return u8(DSCP_ECN, dscp << 2 | ecn());
  }

  public int ecn() {
    return packet.u8(offset + DSCP_ECN) & 3;
  }

  public Ipv4 ecn(int ecn) {
    FieldRange.check("ECN", ecn, 3);
    return u8(DSCP_ECN, dscp() << 2 | ecn);
  }

  /** Bytes of header and payload, as the sender claims: may be more or less than there are. */
  public int totalLength() {
    return packet.u16(offset + TOTAL_LENGTH);
  }

  public Ipv4 totalLength(int bytes) {
    return u16(TOTAL_LENGTH, bytes);
  }

  /** Offset of the first byte behind the header. */
  public int payloadOffset() {
    return offset + headerBytes();
  }

  /** Bytes of payload that are really there: never beyond the packet, never below 0. */
  public int payloadBytes() {
    int end = Math.min(totalLength(), packet.length() - offset);
    return Math.max(0, end - headerBytes());
  }

  public int identification() {
    return packet.u16(offset + IDENTIFICATION);
  }

  public Ipv4 identification(int identification) {
    return u16(IDENTIFICATION, identification);
  }

  public boolean dontFragment() {
    return (packet.u16(offset + FLAGS_FRAGMENT_OFFSET) & DONT_FRAGMENT) != 0;
  }

  public Ipv4 dontFragment(boolean set) {
    return flag(DONT_FRAGMENT, set);
  }

  public boolean moreFragments() {
    return (packet.u16(offset + FLAGS_FRAGMENT_OFFSET) & MORE_FRAGMENTS) != 0;
  }

  public Ipv4 moreFragments(boolean set) {
    return flag(MORE_FRAGMENTS, set);
  }

  private Ipv4 flag(int mask, boolean set) {
    return u16(FLAGS_FRAGMENT_OFFSET, mask, set ? mask : 0);
  }

  /** Position of this fragment in the datagram, in units of 8 bytes. */
  public int fragmentOffset() {
    return packet.u16(offset + FLAGS_FRAGMENT_OFFSET) & FRAGMENT_OFFSET_MASK;
  }

  public Ipv4 fragmentOffset(int units) {
    FieldRange.check("fragment offset", units, FRAGMENT_OFFSET_MASK);
    return u16(FLAGS_FRAGMENT_OFFSET, FRAGMENT_OFFSET_MASK, units);
  }

  /** Clears the three flags and the fragment offset: a whole datagram. */
  public Ipv4 clearFragmentation() {
    return u16(FLAGS_FRAGMENT_OFFSET, 0);
  }

  /** Whether this is a part of a datagram, the first one included. */
  public boolean isFragment() {
    return (packet.u16(offset + FLAGS_FRAGMENT_OFFSET) & (MORE_FRAGMENTS | FRAGMENT_OFFSET_MASK))
        != 0;
  }

  public int ttl() {
    return packet.u8(offset + TTL);
  }

  public Ipv4 ttl(int ttl) {
    return u8(TTL, ttl);
  }

  /** What the payload is, see {@link IpProtocol}. */
  public int protocol() {
    return packet.u8(offset + PROTOCOL);
  }

  public Ipv4 protocol(int protocol) {
    return u8(PROTOCOL, protocol);
  }

  public int headerChecksum() {
    return packet.u16(offset + HEADER_CHECKSUM);
  }

  public Ipv4 headerChecksum(int checksum) {
    return u16(HEADER_CHECKSUM, checksum);
  }

  public int source() {
    return packet.i32(offset + SOURCE);
  }

  public Ipv4 source(int address) {
    return i32(SOURCE, address);
  }

  public int destination() {
    return packet.i32(offset + DESTINATION);
  }

  public Ipv4 destination(int address) {
    return i32(DESTINATION, address);
  }

  /** Offset in the packet of the first option, or -1 when there is none. */
  public int firstOption() {
    return Options.valid(packet, offset + HEADER_BYTES, payloadOffset());
  }

  /** Offset of the option behind the one at {@code at}, or -1 at the end or before a broken one. */
  public int nextOption(int at) {
    return Options.next(packet, at, payloadOffset());
  }

  /** Offset of the first option of that type (copied flag and class included), or -1. */
  public int findOption(int type) {
    return Options.find(packet, offset + HEADER_BYTES, payloadOffset(), type);
  }

  public int optionType(int at) {
    return packet.u8(at);
  }

  /** Bytes of the option, type and length byte included. */
  public int optionLength(int at) {
    return Options.length(packet, at);
  }

  /** Whether no option is broken: too short, or longer than the header. */
  public boolean optionsIntact() {
    return Options.intact(packet, offset + HEADER_BYTES, payloadOffset());
  }
}
