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

  /** Ether type, version and IHL: RFC 894 and RFC 791, section 3.1. */
  private static final int TYPE_VERSION_IHL = 0x0800_45;

  /** The least total length, and the identification behind it, whatever that is: ibid. */
  private static final int LEAST_LENGTH_IDENTIFICATION = Ipv4.HEADER_BYTES << 16;

  private static final int TYPE_OFFSET = Ethernet.HEADER_BYTES - 2;

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

  /** The protocol behind IPv4 in a frame that {@link #is} one, 0 to 255. */
  public static int protocol(Packet frame) {
    return frame.u8(Ethernet.HEADER_BYTES + Ipv4.PROTOCOL);
  }
}
