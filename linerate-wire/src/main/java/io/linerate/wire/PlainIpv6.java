package io.linerate.wire;

import io.linerate.core.memory.Packet;

/**
 * Frames of Ethernet with IPv6 behind it, without VLAN tags and without extension headers: told
 * from the rest by two reads, as {@link PlainIpv4} is. For all others there is {@link
 * HeaderScanner}.
 */
public final class PlainIpv6 {
  /** Bytes of both headers. */
  public static final int HEADER_BYTES = Ethernet.HEADER_BYTES + Ipv6.HEADER_BYTES;

  /** Ether type and version: RFC 2464, section 3, and RFC 8200, section 3. */
  private static final int TYPE_VERSION = 0x86DD_6;

  private static final int TYPE_OFFSET = Ethernet.HEADER_BYTES - 2;

  private PlainIpv6() {}

  /** Whether a frame is one, with both headers whole; its payload may be cut. */
  public static boolean is(Packet frame) {
    return hasHeader(frame) && !Ipv6Extension.isExtension(protocol(frame));
  }

  /** Whether a frame {@link #is} one, or would be one without extension headers. */
  public static boolean hasHeader(Packet frame) {
    return frame.length() >= HEADER_BYTES && frame.i32(TYPE_OFFSET) >>> 12 == TYPE_VERSION;
  }

  /** The protocol behind IPv6 in a frame that {@link #is} one, 0 to 255. */
  public static int protocol(Packet frame) {
    return frame.u8(Ethernet.HEADER_BYTES + Ipv6.NEXT_HEADER);
  }

  /**
   * Takes one from the hop limit of a frame that {@link #hasHeader} (RFC 8200, section 3).
   *
   * @return false if it was 0 or 1: then it is as it was
   */
  public static boolean decrementHopLimit(Packet frame) {
    int hops = frame.u8(Ethernet.HEADER_BYTES + Ipv6.HOP_LIMIT);
    if (hops <= 1) {
      return false;
    }
    frame.u8(Ethernet.HEADER_BYTES + Ipv6.HOP_LIMIT, hops - 1);
    return true;
  }

  /** The first eight bytes of its destination address. */
  public static long destinationHigh(Packet frame) {
    return frame.u64(Ethernet.HEADER_BYTES + Ipv6.DESTINATION);
  }

  /** The last eight bytes of its destination address. */
  public static long destinationLow(Packet frame) {
    return frame.u64(Ethernet.HEADER_BYTES + Ipv6.DESTINATION + 8);
  }

  /** The first eight bytes of its source address. */
  public static long sourceHigh(Packet frame) {
    return frame.u64(Ethernet.HEADER_BYTES + Ipv6.SOURCE);
  }

  /** The last eight bytes of its source address. */
  public static long sourceLow(Packet frame) {
    return frame.u64(Ethernet.HEADER_BYTES + Ipv6.SOURCE + 8);
  }
}
