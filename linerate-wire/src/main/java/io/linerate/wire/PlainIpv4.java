package io.linerate.wire;

/**
 * Frames of Ethernet with IPv4 behind it, without VLAN tags and without options: nearly all
 * traffic, told from the rest by one read. For all others there is {@link HeaderScanner}.
 */
public final class PlainIpv4 {
  /** Offset in the frame of the eight bytes that {@link #is} looks at. */
  public static final int OFFSET = Ethernet.HEADER_BYTES - 2;

  /** Bytes of both headers. */
  public static final int HEADER_BYTES = Ethernet.HEADER_BYTES + Ipv4.HEADER_BYTES;

  /** Ether type, version and IHL: RFC 894 and RFC 791, section 3.1. */
  private static final long TYPE_VERSION_IHL = 0x0800_45;

  private PlainIpv4() {}

  /**
   * Whether a frame is one, with both headers whole.
   *
   * @param word the eight bytes at {@link #OFFSET}: ether type, version and IHL, type of service,
   *     total length, identification
   */
  public static boolean is(int frameBytes, long word) {
    return frameBytes >= HEADER_BYTES
        && word >>> 40 == TYPE_VERSION_IHL
        && ((int) (word >>> 16) & 0xFFFF) >= Ipv4.HEADER_BYTES;
  }
}
