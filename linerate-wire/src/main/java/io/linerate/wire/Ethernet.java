package io.linerate.wire;

import io.linerate.core.memory.Packet;

/**
 * The header of an Ethernet frame, IEEE 802.3 clause 3. MAC addresses are the low 48 bits of a
 * {@code long}.
 *
 * <pre>
 *   0                   1                   2                   3
 *   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *  |                      Destination Address                      |
 *  +                               +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *  |                               |                               |
 *  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+                               +
 *  |                         Source Address                        |
 *  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *  |          Ether Type           |
 *  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 * </pre>
 */
public final class Ethernet extends HeaderView<Ethernet> {
  private static final int DESTINATION = 0;
  private static final int SOURCE = DESTINATION + 6;
  private static final int ETHER_TYPE = SOURCE + 6;
  public static final int HEADER_BYTES = ETHER_TYPE + 2;

  /** Whether the header is there. */
  public static boolean fits(Packet packet, int offset) {
    return offset >= 0 && offset <= packet.length() - HEADER_BYTES;
  }

  public Ethernet wrap(Packet newPacket, int newOffset) {
    return at(newPacket, newOffset);
  }

  /** Offset of the first byte behind the header. */
  public int payloadOffset() {
    return offset + HEADER_BYTES;
  }

  public long destination() {
    return u48(DESTINATION);
  }

  public Ethernet destination(long address) {
    return u48(DESTINATION, address);
  }

  public long source() {
    return u48(SOURCE);
  }

  public Ethernet source(long address) {
    return u48(SOURCE, address);
  }

  /** What the payload is, see {@link EtherType}; its length if below {@link EtherType#MIN}. */
  public int etherType() {
    return packet.u16(offset + ETHER_TYPE);
  }

  public Ethernet etherType(int etherType) {
    return u16(ETHER_TYPE, etherType);
  }
}
