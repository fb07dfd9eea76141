package io.linerate.wire;

import io.linerate.core.memory.Packet;

/**
 * The header of TCP or UDP, whichever the packet has: the ports, and the checksum, which are in
 * both. What only one of them has, {@link Tcp} and {@link Udp} read.
 *
 * <pre>{@code
 * if (scanner.scan(packet) && Transport.fits(scanner)) {
 *   int port = transport.wrap(packet, scanner).destinationPort();
 * }
 * }</pre>
 */
public final class Transport extends HeaderView<Transport> {
  // Where TCP has them, too.
  static final int SOURCE_PORT = Udp.SOURCE_PORT;
  static final int DESTINATION_PORT = Udp.DESTINATION_PORT;

  private int protocol;

  /** Whether a whole header of TCP or UDP was found. */
  public static boolean fits(HeaderScanner scanner) {
    return scanner.l4Fits() && isTransport(scanner.ipProtocol());
  }

  /**
   * Whether a whole header of that protocol is there; false for protocols other than TCP and UDP.
   *
   * @param protocol see {@link IpProtocol}
   */
  public static boolean fits(Packet packet, int offset, int protocol) {
    return switch (protocol) {
      case IpProtocol.TCP -> Tcp.fits(packet, offset);
      case IpProtocol.UDP -> Udp.fits(packet, offset);
      default -> false;
    };
  }

  /** Whether it is TCP or UDP. */
  static boolean isTransport(int protocol) {
    return protocol == IpProtocol.TCP || protocol == IpProtocol.UDP;
  }

  /** Lays the view over the header that was found in a packet. */
  public Transport wrap(Packet newPacket, HeaderScanner scanner) {
    return wrap(newPacket, scanner.l4Offset(), scanner.ipProtocol());
  }

  /**
   * Lays the view over a header of TCP or UDP.
   *
   * @param newProtocol which of them
   */
  public Transport wrap(Packet newPacket, int newOffset, int newProtocol) {
    protocol = newProtocol;
    return at(newPacket, newOffset);
  }

  /** {@link IpProtocol#TCP} or {@link IpProtocol#UDP}. */
  public int protocol() {
    return protocol;
  }

  public int sourcePort() {
    return packet.u16(offset + SOURCE_PORT);
  }

  public Transport sourcePort(int port) {
    return u16(SOURCE_PORT, port);
  }

  public int destinationPort() {
    return packet.u16(offset + DESTINATION_PORT);
  }

  public Transport destinationPort(int port) {
    return u16(DESTINATION_PORT, port);
  }

  /** Of UDP, 0 when the sender made none. */
  public int checksum() {
    return packet.u16(offset + checksumOffset(protocol));
  }

  public Transport checksum(int checksum) {
    return u16(checksumOffset(protocol), checksum);
  }

  static int checksumOffset(int protocol) {
    return protocol == IpProtocol.TCP ? Tcp.CHECKSUM : Udp.CHECKSUM;
  }

  /** Offset of the first byte behind the header. */
  public int payloadOffset() {
    return protocol == IpProtocol.TCP
        ? offset + 4 * (packet.u8(offset + Tcp.DATA_OFFSET) >>> 4)
        : offset + Udp.HEADER_BYTES;
  }
}
