package io.linerate.wire;

import io.linerate.core.memory.Packet;

/**
 * The Internet checksum of RFC 1071: of a whole range, with the pseudo headers of IPv4 (RFC 9293,
 * section 3.1) and IPv6 (RFC 8200, section 8.1), and updated for a changed field (RFC 1624).
 *
 * <p>Arguments that come from a packet are untrusted all the same: a range outside the packet
 * throws {@link IndexOutOfBoundsException}. Take them from a {@link HeaderScanner}: {@code
 * l3Offset()}, {@code l4Offset()}, {@code l4Bytes()}. A checksum over a fragment is meaningless.
 */
public final class InternetChecksum {
  private static final int MASK = 0xFFFF;

  private InternetChecksum() {}

  /** The checksum of a range: the complement of its sum. 0 if the range contains a right one. */
  public static int of(Packet packet, int offset, int count) {
    return complement(packet.sum16(offset, count));
  }

  /** Folds a sum of 16-bit words to 16 bits. */
  public static int fold(long sum) {
    // Each half added to the other, with the carry that comes out: the upper one has it all then.
    int half = (int) ((sum + Long.rotateLeft(sum, 32)) >>> 32);
    return (half + Integer.rotateLeft(half, 16)) >>> 16;
  }

  /** The checksum that belongs to a sum of 16-bit words. */
  public static int complement(long sum) {
    return ~fold(sum) & MASK;
  }

  /**
   * The checksum after a 16-bit word changed: RFC 1624, equation 3. A UDP checksum of 0 means none
   * and must stay, and a UDP result of 0 is to be sent as 0xFFFF.
   */
  public static int update16(int checksum, int oldWord, int newWord) {
    return complement((long) (~checksum & MASK) + (~oldWord & MASK) + (newWord & MASK));
  }

  /** The checksum after 32 bits at an even offset changed, such as an IPv4 address. */
  public static int update32(int checksum, int oldValue, int newValue) {
    return complement((~checksum & MASK) + (~oldValue & 0xFFFF_FFFFL) + (newValue & 0xFFFF_FFFFL));
  }

  /**
   * The sum of the pseudo header of IPv4 or IPv6, whichever the version field says. With a routing
   * header that is not used up, the destination is not the one in the IPv6 header: RFC 8200,
   * section 8.1; this one takes the header's.
   */
  public static long pseudoHeader(Packet packet, int l3Offset, int protocol, int l4Bytes) {
    long addresses =
        packet.u8(l3Offset) >>> 4 == Ipv6.VERSION
            ? packet.sum16(l3Offset + Ipv6.SOURCE, 32)
            : packet.sum16(l3Offset + Ipv4.SOURCE, 8);
    return addresses + protocol + l4Bytes;
  }

  /** Whether the header, options included, has the right checksum. The header has to fit. */
  public static boolean verifyIpv4Header(Packet packet, int l3Offset) {
    return of(packet, l3Offset, ipv4HeaderBytes(packet, l3Offset)) == 0;
  }

  public static void writeIpv4Header(Packet packet, int l3Offset) {
    int at = l3Offset + Ipv4.HEADER_CHECKSUM;
    packet.u16(at, 0);
    packet.u16(at, of(packet, l3Offset, ipv4HeaderBytes(packet, l3Offset)));
  }

  private static int ipv4HeaderBytes(Packet packet, int l3Offset) {
    return 4 * (packet.u8(l3Offset) & 0xF);
  }

  public static boolean verifyTcp(Packet packet, int l3Offset, int l4Offset, int l4Bytes) {
    return verify(packet, l3Offset, IpProtocol.TCP, l4Offset, l4Bytes);
  }

  public static void writeTcp(Packet packet, int l3Offset, int l4Offset, int l4Bytes) {
    write(packet, l3Offset, IpProtocol.TCP, l4Offset, l4Bytes, Tcp.CHECKSUM);
  }

  /**
   * Whether the UDP checksum is right. Over IPv4, 0 is right: the sender made none. Over IPv6 it is
   * wrong (RFC 8200, section 8.1; tunnels of RFC 6935 excepted). What the UDP length leaves out is
   * not summed; a UDP length that cannot be is wrong.
   */
  public static boolean verifyUdp(Packet packet, int l3Offset, int l4Offset, int l4Bytes) {
    if (packet.u16(l4Offset + Udp.CHECKSUM) == 0) {
      return packet.u8(l3Offset) >>> 4 == Ipv4.VERSION;
    }
    int udpBytes = packet.u16(l4Offset + Udp.LENGTH);
    return udpBytes >= Udp.HEADER_BYTES
        && udpBytes <= l4Bytes
        && verify(packet, l3Offset, IpProtocol.UDP, l4Offset, udpBytes);
  }

  /** A checksum of 0 is written as 0xFFFF, for 0 means none: RFC 768. */
  public static void writeUdp(Packet packet, int l3Offset, int l4Offset, int l4Bytes) {
    write(packet, l3Offset, IpProtocol.UDP, l4Offset, l4Bytes, Udp.CHECKSUM);
    if (packet.u16(l4Offset + Udp.CHECKSUM) == 0) {
      packet.u16(l4Offset + Udp.CHECKSUM, MASK);
    }
  }

  /** ICMP for IPv4 has no pseudo header: RFC 792. */
  public static boolean verifyIcmp(Packet packet, int l4Offset, int l4Bytes) {
    return of(packet, l4Offset, l4Bytes) == 0;
  }

  public static void writeIcmp(Packet packet, int l4Offset, int l4Bytes) {
    packet.u16(l4Offset + Icmp.CHECKSUM, 0);
    packet.u16(l4Offset + Icmp.CHECKSUM, of(packet, l4Offset, l4Bytes));
  }

  public static boolean verifyIcmpv6(Packet packet, int l3Offset, int l4Offset, int l4Bytes) {
    return verify(packet, l3Offset, IpProtocol.ICMPV6, l4Offset, l4Bytes);
  }

  public static void writeIcmpv6(Packet packet, int l3Offset, int l4Offset, int l4Bytes) {
    write(packet, l3Offset, IpProtocol.ICMPV6, l4Offset, l4Bytes, Icmp.CHECKSUM);
  }

  /**
   * Whether the checksum of the header of TCP, UDP, ICMP or ICMPv6 is right that was found: {@link
   * HeaderScanner#l4Fits}.
   */
  public static boolean verify(Packet packet, HeaderScanner scanner) {
    int l3 = scanner.l3Offset();
    int l4 = scanner.l4Offset();
    int bytes = scanner.l4Bytes();
    return switch (scanner.ipProtocol()) {
      case IpProtocol.TCP -> verifyTcp(packet, l3, l4, bytes);
      case IpProtocol.UDP -> verifyUdp(packet, l3, l4, bytes);
      case IpProtocol.ICMP -> verifyIcmp(packet, l4, bytes);
      default -> verifyIcmpv6(packet, l3, l4, bytes);
    };
  }

  /**
   * Whether the checksum of the header that was found is wrong, as {@link #verify} has it, where
   * the port has not said so already, or the checksum is yet to be made ({@link
   * Packet#checksumState}).
   */
  public static boolean isWrong(Packet packet, HeaderScanner scanner) {
    return switch (packet.checksumState()) {
      case GOOD, NONE -> false;
      case BAD -> true;
      case UNKNOWN -> !verify(packet, scanner);
    };
  }

  /**
   * Writes the checksum of the header of TCP, UDP, ICMP or ICMPv6 that was found, over all that the
   * IP packet carries: {@link HeaderScanner#l4Fits}.
   */
  public static void write(Packet packet, HeaderScanner scanner) {
    int l3 = scanner.l3Offset();
    int l4 = scanner.l4Offset();
    int bytes = scanner.l4Bytes();
    switch (scanner.ipProtocol()) {
      case IpProtocol.TCP -> writeTcp(packet, l3, l4, bytes);
      case IpProtocol.UDP -> writeUdp(packet, l3, l4, bytes);
      case IpProtocol.ICMP -> writeIcmp(packet, l4, bytes);
      default -> writeIcmpv6(packet, l3, l4, bytes);
    }
  }

  private static boolean verify(
      Packet packet, int l3Offset, int protocol, int l4Offset, int l4Bytes) {
    long sum = pseudoHeader(packet, l3Offset, protocol, l4Bytes);
    return complement(sum + packet.sum16(l4Offset, l4Bytes)) == 0;
  }

  private static void write(
      Packet packet, int l3Offset, int protocol, int l4Offset, int l4Bytes, int checksumOffset) {
    packet.u16(l4Offset + checksumOffset, 0);
    long sum = pseudoHeader(packet, l3Offset, protocol, l4Bytes);
    packet.u16(l4Offset + checksumOffset, complement(sum + packet.sum16(l4Offset, l4Bytes)));
  }
}
