package io.linerate.example;

import io.linerate.core.memory.Packet;

/**
 * The VXLAN header, RFC 7348 section 5: behind UDP, usually to port 4789. An Ethernet frame follows
 * it.
 *
 * <pre>
 *   0                   1                   2                   3
 *   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *  |R|R|R|R|I|R|R|R|            Reserved                           |
 *  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *  |                VXLAN Network Identifier (VNI) |   Reserved    |
 *  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 * </pre>
 */
public final class Vxlan {
  public static final int UDP_PORT = 4789;

  private static final int FLAGS = 0;
  private static final int VNI = FLAGS + 4;
  public static final int HEADER_BYTES = VNI + 4;

  private static final int VNI_IS_VALID = 0x08;
  private static final int MAX_VNI = 0xFF_FFFF;

  @SuppressWarnings("NullAway.Init")
  private Packet packet;

  private int offset;

  /** Whether the header is there, with the flag that every VXLAN packet has. */
  public static boolean fits(Packet packet, int offset) {
    return offset >= 0
        && offset <= packet.length() - HEADER_BYTES
        && (packet.u8(offset + FLAGS) & VNI_IS_VALID) != 0;
  }

  public Vxlan wrap(Packet newPacket, int newOffset) {
    packet = newPacket;
    offset = newOffset;
    return this;
  }

  /** Offset of the Ethernet frame inside. */
  public int payloadOffset() {
    return offset + HEADER_BYTES;
  }

  /** The network identifier, 24 bits. */
  public int vni() {
    return packet.i32(offset + VNI) >>> 8;
  }

  /** Writes flags and reserved bits too, so that it {@link #fits}. */
  public Vxlan vni(int vni) {
    if (vni < 0 || vni > MAX_VNI) {
      throw new IllegalArgumentException(
          "value does not fit the field: field=VNI, value=" + vni + ", max=" + MAX_VNI);
    }
    packet.i32(offset + FLAGS, VNI_IS_VALID << 24);
    packet.i32(offset + VNI, vni << 8);
    return this;
  }
}
