package io.linerate.wire;

import io.linerate.core.memory.Packet;

/**
 * A VLAN tag of IEEE 802.1Q (or 802.1ad, for the outer of two), without the ether type that
 * announces it: the view begins behind that one.
 *
 * <pre>
 *   0                   1                   2                   3
 *   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *  | PCP |D|          VID          |          Ether Type           |
 *  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 * </pre>
 */
public final class Vlan extends HeaderView<Vlan> {
  private static final int TCI = 0;
  static final int ETHER_TYPE = TCI + 2;
  public static final int HEADER_BYTES = ETHER_TYPE + 2;

  private static final int PCP_SHIFT = 13;
  private static final int DEI = 0x1000;
  private static final int VID_MASK = 0x0FFF;

  /** Whether the tag is there. */
  public static boolean fits(Packet packet, int offset) {
    return offset >= 0 && offset <= packet.length() - HEADER_BYTES;
  }

  public Vlan wrap(Packet newPacket, int newOffset) {
    return at(newPacket, newOffset);
  }

  /** Offset of the first byte behind the tag. */
  public int payloadOffset() {
    return offset + HEADER_BYTES;
  }

  /** Priority code point, 0 to 7. */
  public int pcp() {
    return packet.u16(offset + TCI) >>> PCP_SHIFT;
  }

  public Vlan pcp(int pcp) {
    FieldRange.check("PCP", pcp, 7);
    return u16(TCI, 7 << PCP_SHIFT, pcp << PCP_SHIFT);
  }

  /** Drop eligible indicator. */
  public boolean dei() {
    return (packet.u16(offset + TCI) & DEI) != 0;
  }

  public Vlan dei(boolean set) {
    return u16(TCI, DEI, set ? DEI : 0);
  }

  /** VLAN identifier, 0 to 4,095. */
  public int vid() {
    return packet.u16(offset + TCI) & VID_MASK;
  }

  public Vlan vid(int vid) {
    FieldRange.check("VID", vid, VID_MASK);
    return u16(TCI, VID_MASK, vid);
  }

  /** What follows the tag, see {@link EtherType}: perhaps another tag. */
  public int etherType() {
    return packet.u16(offset + ETHER_TYPE);
  }

  public Vlan etherType(int etherType) {
    return u16(ETHER_TYPE, etherType);
  }
}
