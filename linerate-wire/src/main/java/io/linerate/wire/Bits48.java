package io.linerate.wire;

import io.linerate.core.memory.Packet;

/** MAC addresses in packets: six bytes as the low 48 bits of a {@code long}. */
final class Bits48 {
  private Bits48() {}

  static long get(Packet packet, int offset) {
    return (long) packet.u16(offset) << 32 | packet.u32(offset + 2);
  }

  static void set(Packet packet, int offset, long value) {
    FieldRange.check("MAC address", value, MacAddress.MAX);
    packet.u16(offset, (int) (value >>> 32));
    packet.i32(offset + 2, (int) value);
  }
}
