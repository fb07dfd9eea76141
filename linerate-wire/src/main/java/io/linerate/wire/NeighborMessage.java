package io.linerate.wire;

import io.linerate.core.memory.Packet;

/**
 * Neighbor solicitation and advertisement, RFC 4861 sections 4.3 and 4.4, from the type of their
 * ICMPv6 header on: {@link Icmpv6} reads type, code and checksum. A solicitation has no flags.
 *
 * <pre>
 *   0                   1                   2                   3
 *   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *  |     Type      |     Code      |          Checksum             |
 *  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *  |R|S|O|                     Reserved                            |
 *  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *  |                                                               |
 *  +                                                               +
 *  |                                                               |
 *  +                        Target Address                         +
 *  |                                                               |
 *  +                                                               +
 *  |                                                               |
 *  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *  |   Options: type, length in units of 8 bytes, content ...
 *  +-+-+-+-+-+-+-+-+-+-+-+-
 * </pre>
 */
public final class NeighborMessage extends HeaderView<NeighborMessage> {
  /** Flags of an advertisement: its sender is a router; it answers; it replaces what is known. */
  public static final int ROUTER = 1 << 31;

  public static final int SOLICITED = 1 << 30;
  public static final int OVERRIDE = 1 << 29;

  /** Types of options, RFC 4861 section 4.6.1. */
  public static final int SOURCE_LINK_LAYER_ADDRESS = 1;

  public static final int TARGET_LINK_LAYER_ADDRESS = 2;

  private static final int FLAGS = 4;
  private static final int TARGET_ADDRESS = FLAGS + 4;

  /** Bytes without options. */
  public static final int HEADER_BYTES = TARGET_ADDRESS + 16;

  private static final int OPTION_UNIT_BYTES = 8;

  /** Bytes of the option that has an Ethernet address. */
  public static final int LINK_LAYER_OPTION_BYTES = OPTION_UNIT_BYTES;

  private int end;

  /**
   * Whether a message is there whose options end where it ends: RFC 4861, sections 7.1.1 and 7.1.2.
   *
   * @param count bytes of the ICMPv6 message
   */
  public static boolean fits(Packet packet, int offset, int count) {
    if (offset < 0 || count < HEADER_BYTES || count > packet.length() - offset) {
      return false;
    }
    int end = offset + count;
    int at = offset + HEADER_BYTES;
    while (end - at >= OPTION_UNIT_BYTES && packet.u8(at + 1) != 0) {
      at += OPTION_UNIT_BYTES * packet.u8(at + 1);
    }
    return at == end;
  }

  /**
   * Lays the view over a message.
   *
   * @param count bytes of the ICMPv6 message
   */
  public NeighborMessage wrap(Packet newPacket, int newOffset, int count) {
    packet = newPacket;
    offset = newOffset;
    end = newOffset + count;
    return this;
  }

  /** {@link #ROUTER}, {@link #SOLICITED}, {@link #OVERRIDE}, and bits without meaning. */
  public int flags() {
    return packet.i32(offset + FLAGS);
  }

  public NeighborMessage flags(int flags) {
    return i32(FLAGS, flags);
  }

  public boolean has(int flag) {
    return (flags() & flag) != 0;
  }

  public long targetHigh() {
    return packet.u64(offset + TARGET_ADDRESS);
  }

  public long targetLow() {
    return packet.u64(offset + TARGET_ADDRESS + 8);
  }

  public NeighborMessage target(long high, long low) {
    return u128(TARGET_ADDRESS, high, low);
  }

  /** The Ethernet address in the first option of that type, -1 without one. */
  public long linkLayerAddress(int type) {
    int at = offset + HEADER_BYTES;
    while (end - at >= OPTION_UNIT_BYTES) {
      int units = packet.u8(at + 1);
      if (packet.u8(at) == type && units == 1) {
        return u48(at + 2 - offset);
      }
      at += OPTION_UNIT_BYTES * Math.max(1, units);
    }
    return -1;
  }

  /** Writes an Ethernet address as the first option, for which there must be room. */
  public NeighborMessage linkLayerAddress(int type, long address) {
    packet.u8(offset + HEADER_BYTES, type);
    packet.u8(offset + HEADER_BYTES + 1, 1);
    return u48(HEADER_BYTES + 2, address);
  }
}
