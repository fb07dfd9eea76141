package io.linerate.wire;

import io.linerate.core.memory.Packet;

/**
 * Frames of Ethernet with IPv4 behind it, without VLAN tags, options and authentication headers:
 * nearly all traffic, told from the rest by two reads. For all others there is {@link
 * HeaderScanner}.
 */
public final class PlainIpv4 {
  /** Bytes of both headers. */
  public static final int HEADER_BYTES = Ethernet.HEADER_BYTES + Ipv4.HEADER_BYTES;

  /** Bytes of both headers, and that of TCP without options. */
  public static final int TRANSPORT_BYTES = HEADER_BYTES + Tcp.HEADER_BYTES;

  /** Ether type, version and IHL: RFC 894 and RFC 791, section 3.1. */
  private static final int TYPE_VERSION_IHL = 0x0800_45;

  /** The least total length, and the identification behind it, whatever that is: ibid. */
  private static final int LEAST_LENGTH_IDENTIFICATION = Ipv4.HEADER_BYTES << 16;

  private static final int TYPE_OFFSET = Ethernet.HEADER_BYTES - 2;
  private static final int TTL_OFFSET = Ethernet.HEADER_BYTES + Ipv4.TTL;

  private static final int FRAGMENT_TTL_PROTOCOL =
      Ethernet.HEADER_BYTES + Ipv4.FLAGS_FRAGMENT_OFFSET;
  private static final int FRAGMENT = Ipv4.MORE_FRAGMENTS | Ipv4.FRAGMENT_OFFSET_MASK;
  private static final int DATA_OFFSET = HEADER_BYTES + Tcp.DATA_OFFSET;

  private PlainIpv4() {}

  /** Whether a frame is one, with both headers whole. */
  public static boolean is(Packet frame) {
    if (frame.length() < HEADER_BYTES) {
      return false;
    }
    long word = frame.u64(TYPE_OFFSET);
    return word >>> 40 == TYPE_VERSION_IHL
        && Integer.compareUnsigned((int) word, LEAST_LENGTH_IDENTIFICATION) >= 0
        && protocol(frame) != IpProtocol.AH;
  }

  /**
   * Whether a frame {@link #is} one, with a whole header of TCP or UDP behind it, is no fragment,
   * and has all the bytes that it claims: {@link HeaderScanner} finds nothing wrong with it. Never
   * one of less than {@link #TRANSPORT_BYTES}: the fields of TCP may be read before it is known
   * what it is.
   */
  public static boolean isTransport(Packet frame) {
    int length = frame.length();
    return length >= TRANSPORT_BYTES
        && isTransport(length, typeWord(frame), fragmentWord(frame), dataOffsetWord(frame));
  }

  /**
   * As {@link #isTransport(Packet)}, of what was read beforehand of a frame.
   *
   * @param length of the frame, at least {@link #TRANSPORT_BYTES}
   */
  public static boolean isTransport(
      int length, long typeWord, int fragmentWord, int dataOffsetWord) {
    int totalLength = totalLength(typeWord);
    if (typeWord >>> 40 != TYPE_VERSION_IHL
        || ((fragmentWord >>> 16) & FRAGMENT) != 0
        || Ethernet.HEADER_BYTES + totalLength > length) {
      return false;
    }
    int room = totalLength - Ipv4.HEADER_BYTES;
    int protocol = fragmentWord & 0xFF;
    if (protocol == IpProtocol.TCP) {
      int headerBytes = (dataOffsetWord >>> 28) * 4;
      return headerBytes >= Tcp.HEADER_BYTES && headerBytes <= room;
    }
    return protocol == IpProtocol.UDP && room >= Udp.HEADER_BYTES;
  }

  /**
   * Ether type 16 | version 4 | IHL 4 | type of service 8 | total length 16 | identification 16.
   */
  public static long typeWord(Packet frame) {
    return frame.u64(TYPE_OFFSET);
  }

  /** Total length of IPv4, from {@link #typeWord}. */
  public static int totalLength(long typeWord) {
    return (int) (typeWord >>> 16) & 0xFFFF;
  }

  /** Flags and fragment offset 16 | TTL 8 | protocol 8. */
  public static int fragmentWord(Packet frame) {
    return frame.i32(FRAGMENT_TTL_PROTOCOL);
  }

  /** Of TCP: data offset 4 | reserved 4 | flags 8 | window 16. */
  public static int dataOffsetWord(Packet frame) {
    return frame.i32(DATA_OFFSET);
  }

  /** Whether a frame that {@link #is} one is a part of a larger packet. */
  public static boolean isFragment(Packet frame) {
    return (frame.u16(FRAGMENT_TTL_PROTOCOL) & FRAGMENT) != 0;
  }

  /** Both addresses of a frame that {@link #is} one: source 32 | destination 32. */
  public static long addresses(Packet frame) {
    return frame.u64(Ethernet.HEADER_BYTES + Ipv4.SOURCE);
  }

  /** Offset behind the IPv4 packet in a frame that {@link #is} one. */
  public static int end(Packet frame) {
    return Ethernet.HEADER_BYTES + frame.u16(Ethernet.HEADER_BYTES + Ipv4.TOTAL_LENGTH);
  }

  /** Both ports of a frame that {@link #isTransport}: source 16 | destination 16. */
  public static int ports(Packet frame) {
    return frame.i32(HEADER_BYTES);
  }

  /** Source address of a frame that {@link #is} one. */
  public static int source(Packet frame) {
    return frame.i32(Ethernet.HEADER_BYTES + Ipv4.SOURCE);
  }

  /** Destination address of a frame that {@link #is} one. */
  public static int destination(Packet frame) {
    return frame.i32(Ethernet.HEADER_BYTES + Ipv4.DESTINATION);
  }

  /**
   * Takes one from the time to live of a frame that {@link #is} one (RFC 1812, section 5.3.1), and
   * updates the checksum (RFC 1624, equation 3).
   *
   * @return false if it was 0 or 1: then it is as it was
   */
  public static boolean decrementTtl(Packet frame) {
    int word = frame.i32(TTL_OFFSET); // TTL, protocol, checksum.
    if (Integer.compareUnsigned(word, 2 << 24) < 0) {
      return false;
    }
    int sum = (word & 0xFFFF) + 0x100;
    int checksum = (sum + (sum >= 0xFFFF ? 1 : 0)) & 0xFFFF;
    frame.i32(TTL_OFFSET, ((word - (1 << 24)) & 0xFFFF_0000) | checksum);
    return true;
  }

  /** The protocol behind IPv4 in a frame that {@link #is} one, 0 to 255. */
  public static int protocol(Packet frame) {
    return frame.u8(Ethernet.HEADER_BYTES + Ipv4.PROTOCOL);
  }
}
