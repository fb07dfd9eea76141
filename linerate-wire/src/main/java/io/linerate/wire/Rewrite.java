package io.linerate.wire;

import io.linerate.core.memory.ChecksumState;
import io.linerate.core.memory.Packet;

/**
 * Gives a packet that was just scanned another address or port, and keeps its checksums: that of
 * the IPv4 header, and those of TCP, UDP and ICMPv6, which cover the addresses. This is what
 * translators and balancers do.
 *
 * <pre>{@code
 * if (!scanner.scan(packet) || !Rewrite.destination(packet, scanner, address, port)) {
 *   packet.drop(UNTRANSLATABLE);
 * }
 * }</pre>
 *
 * <p>Each method says whether it could; if not, nothing has changed. It cannot
 *
 * <ul>
 *   <li>if the packet is of the other version of IP, or its headers up to that of IP are not sound;
 *   <li>if its header of TCP, UDP or ICMPv6 is not whole, so that the checksum may not be there;
 *   <li>with a port, if it is of another protocol than TCP and UDP;
 *   <li>with an address, if it is of DCCP or UDP-Lite, whose checksums cover it and are not known
 *       here;
 *   <li>with a destination, if the packet has stops before it ({@link SourceRoute}).
 * </ul>
 *
 * <p>Checksums are updated by what has changed, not made anew (RFC 1624, equation 3): one that was
 * wrong stays wrong, that of a first fragment stays that of the whole datagram, and no payload is
 * read. A UDP checksum of 0 stays, for the sender made none. One that is left to who transmits the
 * packet ({@link ChecksumState#NONE}), as that of what the kernel has yet to cut is, stays the sum
 * of the pseudo header.
 *
 * <p>A later fragment has neither ports nor checksum: its address changes, and nothing where only a
 * port is wanted. Packets that messages of ICMP quote stay as they are, and an authentication
 * header (RFC 4302) fits no longer what it covers.
 */
public final class Rewrite {
  private static final long LOW_32 = 0xFFFF_FFFFL;
  private static final int MASK = 0xFFFF;
  private static final int PLAIN_TTL = Ethernet.HEADER_BYTES + Ipv4.TTL;

  /** In place of an offset: there is no such field. */
  private static final int NONE = -1;

  /** In place of an offset: there is such a field, but not here. */
  private static final int MISSING = -2;

  private Rewrite() {}

  /** Source address of IPv4, and source port of TCP or UDP. */
  public static boolean source(Packet packet, HeaderScanner scanner, int address, int port) {
    return ipv4(packet, scanner, Ipv4.SOURCE, address, Transport.SOURCE_PORT, port);
  }

  /**
   * What the checksums of packets grow by that get other addresses and ports: the same for all of a
   * flow. Its complement, {@code ~change}, is what those grow by that go back.
   *
   * @param addresses source 32 | destination 32
   * @param ports source 16 | destination 16
   * @return that of the header of IPv4 16 | that of TCP or UDP 16
   */
  public static int change(long addresses, int ports, long newAddresses, int newPorts) {
    long header = change64(addresses, newAddresses);
    return (InternetChecksum.fold(header) << 16)
        | InternetChecksum.fold(header + change32(ports, newPorts));
  }

  /**
   * Source address and port of a frame that {@link PlainIpv4#isTransport}, whose checksum is not
   * left to who transmits it: faster.
   *
   * @param change as {@link #change} says
   */
  public static void source(Packet frame, int address, int port, int change) {
    FieldRange.check("port", port, MASK);
    long word = frame.u64(PLAIN_TTL); // TTL, protocol, checksum; source.
    int header = plainHeader((int) (word >>> 32), change);
    frame.u64(PLAIN_TTL, ((long) header << 32) | (address & LOW_32));
    frame.u16(PlainIpv4.HEADER_BYTES + Transport.SOURCE_PORT, port);
    plainChecksum(frame, (int) (word >>> 48) & 0xFF, change);
  }

  /** As {@link #source(Packet, int, int, int)}, its destination. */
  public static void destination(Packet frame, int address, int port, int change) {
    FieldRange.check("port", port, MASK);
    int word = frame.i32(PLAIN_TTL);
    frame.i32(PLAIN_TTL, plainHeader(word, change));
    frame.i32(Ethernet.HEADER_BYTES + Ipv4.DESTINATION, address);
    frame.u16(PlainIpv4.HEADER_BYTES + Transport.DESTINATION_PORT, port);
    plainChecksum(frame, (word >>> 16) & 0xFF, change);
  }

  private static int plainHeader(int word, int change) {
    return (word & ~MASK) | plainChanged(word & MASK, change >>> 16);
  }

  private static void plainChecksum(Packet frame, int protocol, int change) {
    boolean isUdp = protocol == IpProtocol.UDP;
    int at = PlainIpv4.HEADER_BYTES + (isUdp ? Udp.CHECKSUM : Tcp.CHECKSUM);
    int old = frame.u16(at);
    if (!isUdp || old != 0) {
      int changed = plainChanged(old, change & MASK);
      frame.u16(at, isUdp && changed == 0 ? MASK : changed);
    }
  }

  /** As {@link #changed}, by no more than 16 bits. */
  private static int plainChanged(int checksum, int change) {
    int sum = (~checksum & MASK) + change;
    return ~((sum & MASK) + (sum >>> 16)) & MASK;
  }

  /** Source address of IPv6, and source port of TCP or UDP. */
  public static boolean source(
      Packet packet, HeaderScanner scanner, long high, long low, int port) {
    return ipv6(packet, scanner, Ipv6.SOURCE, high, low, Transport.SOURCE_PORT, port);
  }

  /** Source address of IPv4. */
  public static boolean sourceAddress(Packet packet, HeaderScanner scanner, int address) {
    return ipv4(packet, scanner, Ipv4.SOURCE, address, NONE, 0);
  }

  /** Source address of IPv6. */
  public static boolean sourceAddress(Packet packet, HeaderScanner scanner, long high, long low) {
    return ipv6(packet, scanner, Ipv6.SOURCE, high, low, NONE, 0);
  }

  /** Source port of TCP or UDP. */
  public static boolean sourcePort(Packet packet, HeaderScanner scanner, int port) {
    return port(packet, scanner, Transport.SOURCE_PORT, port);
  }

  /** Destination address of IPv4, and destination port of TCP or UDP. */
  public static boolean destination(Packet packet, HeaderScanner scanner, int address, int port) {
    return ipv4(packet, scanner, Ipv4.DESTINATION, address, Transport.DESTINATION_PORT, port);
  }

  /** Destination address of IPv6, and destination port of TCP or UDP. */
  public static boolean destination(
      Packet packet, HeaderScanner scanner, long high, long low, int port) {
    return ipv6(packet, scanner, Ipv6.DESTINATION, high, low, Transport.DESTINATION_PORT, port);
  }

  /** Destination address of IPv4. */
  public static boolean destinationAddress(Packet packet, HeaderScanner scanner, int address) {
    return ipv4(packet, scanner, Ipv4.DESTINATION, address, NONE, 0);
  }

  /** Destination address of IPv6. */
  public static boolean destinationAddress(
      Packet packet, HeaderScanner scanner, long high, long low) {
    return ipv6(packet, scanner, Ipv6.DESTINATION, high, low, NONE, 0);
  }

  /** Destination port of TCP or UDP. */
  public static boolean destinationPort(Packet packet, HeaderScanner scanner, int port) {
    return port(packet, scanner, Transport.DESTINATION_PORT, port);
  }

  /**
   * Takes one from the time to live of IPv4 (RFC 1812, section 5.3.1) or the hop limit of IPv6 (RFC
   * 8200, section 3). The IPv4 header checksum is updated (RFC 1624).
   *
   * @param scanner has found a header of IP
   * @return false if it was 0 or 1: then it is as it was
   */
  public static boolean decrementHops(Packet packet, HeaderScanner scanner) {
    boolean isIpv4 = scanner.ipVersion() == Ipv4.VERSION;
    int at = scanner.l3Offset() + (isIpv4 ? Ipv4.TTL : Ipv6.HOP_LIMIT);
    int hops = packet.u8(at);
    if (hops <= 1) {
      return false;
    }
    if (isIpv4) {
      int checksumAt = scanner.l3Offset() + Ipv4.HEADER_CHECKSUM;
      int old = packet.u16(at); // With the protocol behind it.
      int checksum = InternetChecksum.update16(packet.u16(checksumAt), old, old - 0x100);
      packet.u16(checksumAt, checksum);
    }
    packet.u8(at, hops - 1);
    return true;
  }

  /**
   * The identifier of a query of ICMP or ICMPv6, or of its answer.
   *
   * @return false if it is none
   */
  public static boolean identifier(Packet packet, HeaderScanner scanner, int identifier) {
    FieldRange.check("identifier", identifier, MASK);
    int l4 = scanner.l4Offset();
    if (!scanner.l4Fits()
        || scanner.isFragment()
        || Icmp.requestOf(scanner.ipProtocol(), packet.u8(l4)) < 0) {
      return false;
    }
    int at = l4 + Icmp.IDENTIFIER;
    int checksumAt = l4 + Icmp.CHECKSUM;
    int old = packet.u16(at);
    packet.u16(checksumAt, InternetChecksum.update16(packet.u16(checksumAt), old, identifier));
    packet.u16(at, identifier);
    return true;
  }

  /**
   * Source address of the IPv4 packet that an error of ICMP quotes, and its source port or
   * identifier, with what checksums are quoted, and that of the error, which is made anew.
   *
   * @param quoted was found in the packet
   */
  public static void quotedSource(
      Packet packet, HeaderScanner scanner, QuotedPacket quoted, int address, int port) {
    quoted(packet, scanner, quoted, Ipv4.SOURCE, Transport.SOURCE_PORT, address, port);
  }

  /** As {@link #quotedSource}, destination address and port. */
  public static void quotedDestination(
      Packet packet, HeaderScanner scanner, QuotedPacket quoted, int address, int port) {
    quoted(packet, scanner, quoted, Ipv4.DESTINATION, Transport.DESTINATION_PORT, address, port);
  }

  private static void quoted(
      Packet packet,
      HeaderScanner scanner,
      QuotedPacket quoted,
      int field,
      int portField,
      int address,
      int port) {
    FieldRange.check("port", port, MASK);
    int l3 = quoted.l3Offset();
    int l4 = quoted.l4Offset();
    int old = packet.i32(l3 + field);
    packet.i32(l3 + field, address);
    int headerAt = l3 + Ipv4.HEADER_CHECKSUM;
    packet.u16(headerAt, InternetChecksum.update32(packet.u16(headerAt), old, address));
    boolean isQuery = quoted.ipProtocol() == IpProtocol.ICMP;
    if (isQuery || Transport.isTransport(quoted.ipProtocol())) {
      int portAt = l4 + (isQuery ? Icmp.IDENTIFIER : portField);
      int checksumAt =
          l4 + (isQuery ? Icmp.CHECKSUM : Transport.checksumOffset(quoted.ipProtocol()));
      long change = (~packet.u16(portAt) & MASK) + (long) port;
      change += isQuery ? 0 : change32(old, address);
      packet.u16(portAt, port);
      if (checksumAt + 2 <= quoted.end()) {
        int sum = packet.u16(checksumAt);
        boolean isNone = quoted.ipProtocol() == IpProtocol.UDP && sum == 0;
        packet.u16(checksumAt, isNone ? 0 : InternetChecksum.complement((~sum & MASK) + change));
      }
    }
    InternetChecksum.writeIcmp(packet, scanner.l4Offset(), scanner.l4Bytes());
  }

  private static boolean ipv4(
      Packet packet, HeaderScanner scanner, int field, int address, int portField, int port) {
    int checksumAt = checksumAt(scanner, portField, port);
    if (checksumAt == MISSING
        || scanner.ipVersion() != Ipv4.VERSION
        || (field == Ipv4.DESTINATION && SourceRoute.isAhead(packet, scanner))) {
      return false;
    }
    int at = scanner.l3Offset() + field;
    int headerAt = scanner.l3Offset() + Ipv4.HEADER_CHECKSUM;
    int old = packet.i32(at);
    packet.u16(headerAt, InternetChecksum.update32(packet.u16(headerAt), old, address));
    packet.i32(at, address);
    upperLayer(packet, scanner, checksumAt, change32(old, address), portField, port);
    return true;
  }

  private static boolean ipv6(
      Packet packet,
      HeaderScanner scanner,
      int field,
      long high,
      long low,
      int portField,
      int port) {
    int checksumAt = checksumAt(scanner, portField, port);
    if (checksumAt == MISSING
        || scanner.ipVersion() != Ipv6.VERSION
        || (field == Ipv6.DESTINATION && SourceRoute.isAhead(packet, scanner))) {
      return false;
    }
    int at = scanner.l3Offset() + field;
    long change = change64(packet.u64(at), high) + change64(packet.u64(at + 8), low);
    packet.u64(at, high);
    packet.u64(at + 8, low);
    upperLayer(packet, scanner, checksumAt, change, portField, port);
    return true;
  }

  private static boolean port(Packet packet, HeaderScanner scanner, int field, int port) {
    int checksumAt = checksumAt(scanner, field, port);
    if (checksumAt == MISSING) {
      return false;
    }
    upperLayer(packet, scanner, checksumAt, 0, field, port);
    return true;
  }

  /** Offset of the checksum that covers the addresses, {@link #NONE}, or {@link #MISSING}. */
  private static int checksumAt(HeaderScanner scanner, int portField, int port) {
    FieldRange.check("port", port, MASK);
    if (scanner.ipVersion() == 0 || !scanner.defect().soundUpToL3()) {
      return MISSING;
    }
    int protocol = scanner.ipProtocol();
    int field = checksumField(scanner.ipVersion(), protocol);
    // A protocol that only the first fragment knows is below 0.
    boolean mayHavePorts = protocol < 0 || Transport.isTransport(protocol);
    if (field == MISSING || (portField != NONE && !mayHavePorts)) {
      return MISSING;
    }
    if (field == NONE || scanner.isLaterFragment()) {
      return NONE;
    }
    return scanner.l4Fits() ? scanner.l4Offset() + field : MISSING;
  }

  private static int checksumField(int ipVersion, int protocol) {
    return switch (protocol) {
      case IpProtocol.TCP, IpProtocol.UDP -> Transport.checksumOffset(protocol);
      // ICMP for IPv4 has no pseudo header: RFC 792.
      case IpProtocol.ICMPV6 -> ipVersion == Ipv6.VERSION ? Icmp.CHECKSUM : NONE;
      case IpProtocol.DCCP, IpProtocol.UDPLITE -> MISSING;
      default -> NONE;
    };
  }

  /** Without a checksum there is no port either: it is a later fragment, or none is wanted. */
  private static void upperLayer(
      Packet packet,
      HeaderScanner scanner,
      int checksumAt,
      long addressChange,
      int portField,
      int port) {
    if (checksumAt == NONE) {
      return;
    }
    long portChange = 0;
    if (portField != NONE) {
      int at = scanner.l4Offset() + portField;
      portChange = (~packet.u16(at) & MASK) + (long) port;
      packet.u16(at, port);
    }
    boolean isUdp = scanner.ipProtocol() == IpProtocol.UDP;
    checksum(packet, checksumAt, isUdp, addressChange, addressChange + portChange);
  }

  /**
   * @param addressChange of the pseudo header alone
   * @param change of all
   */
  private static void checksum(
      Packet packet, int checksumAt, boolean isUdp, long addressChange, long change) {
    int old = packet.u16(checksumAt);
    if (isUdp && old == 0) {
      return;
    }
    if (packet.checksumState() == ChecksumState.NONE) {
      packet.u16(checksumAt, InternetChecksum.fold(old + addressChange));
      return;
    }
    int changed = changed(old, change);
    // In UDP, 0 says that there is none (RFC 768).
    packet.u16(checksumAt, isUdp && changed == 0 ? MASK : changed);
  }

  /** RFC 1624, equation 3. */
  private static int changed(int checksum, long change) {
    return InternetChecksum.complement((~checksum & MASK) + change);
  }

  /** What a sum of 16-bit words grows by: by the complements of the old ones, and the new ones. */
  private static long change32(int old, int changed) {
    return (~old & LOW_32) + (changed & LOW_32);
  }

  private static long change64(long old, long changed) {
    return change32((int) (old >>> 32), (int) (changed >>> 32))
        + change32((int) old, (int) changed);
  }
}
