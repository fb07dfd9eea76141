package io.linerate.wire;

import io.linerate.core.memory.Cursor;
import io.linerate.core.memory.Packet;

/**
 * A view over one header after another: which packet it is in, at which offset, and how its fields
 * are written. Every setter returns the view.
 *
 * @param <V> the view itself
 */
abstract sealed class HeaderView<V extends HeaderView<V>> implements Cursor
    permits Arp,
        Ethernet,
        Icmp,
        Ipv4,
        Ipv6,
        Ipv6Extension,
        NeighborMessage,
        Tcp,
        Transport,
        Udp,
        Vlan {
  @SuppressWarnings("NullAway.Init")
  Packet packet;

  int offset;

  @SuppressWarnings("unchecked") // Each view names itself.
  private V self() {
    return (V) this;
  }

  V at(Packet newPacket, int newOffset) {
    packet = newPacket;
    offset = newOffset;
    return self();
  }

  V u8(int field, int value) {
    packet.u8(offset + field, value);
    return self();
  }

  V u16(int field, int value) {
    packet.u16(offset + field, value);
    return self();
  }

  /** Writes the bits of {@code mask} alone. */
  V u16(int field, int mask, int bits) {
    return u16(field, (packet.u16(offset + field) & ~mask) | bits);
  }

  V i32(int field, int value) {
    packet.i32(offset + field, value);
    return self();
  }

  /** Writes the bits of {@code mask} alone. */
  V i32(int field, int mask, int bits) {
    return i32(field, (packet.i32(offset + field) & ~mask) | bits);
  }

  V u32(int field, long value) {
    packet.u32(offset + field, value);
    return self();
  }

  /** Six bytes, a MAC address, as the low 48 bits. */
  long u48(int field) {
    return MacAddress.at(packet, offset + field);
  }

  V u48(int field, long value) {
    FieldRange.check("MAC address", value, MacAddress.MAX);
    packet.u16(offset + field, (int) (value >>> 32));
    return i32(field + 2, (int) value);
  }

  V u128(int field, long high, long low) {
    packet.u64(offset + field, high);
    packet.u64(offset + field + 8, low);
    return self();
  }
}
