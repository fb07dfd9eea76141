package io.linerate.decode;

import io.linerate.core.memory.Packet;

/** Writes fields of up to 64 bits. */
final class FieldWriter {
  private FieldWriter() {}

  /**
   * @throws IllegalArgumentException if the value does not fit the field
   */
  static void require(Field field, long value) {
    long units = value / field.factor();
    int bits = field.bits();
    boolean fits = bits >= Long.SIZE || (units >= 0 && units >>> bits == 0);
    if (bits == 0 || bits > Long.SIZE || !fits || units * field.factor() != value) {
      throw new IllegalArgumentException(
          "value does not fit the field: field=%s, value=%d, bits=%d, factor=%d"
              .formatted(field.name(), value, bits, field.factor()));
    }
  }

  /**
   * @param at index of the field's first byte
   */
  static void write(byte[] bytes, int at, Field field, long value) {
    int count = field.bytes();
    for (int i = 0; i < count; i++) {
      int place = field.isLittleEndian() ? count - 1 - i : i;
      bytes[at + place] = (byte) merged(bytes[at + place], i, field, value);
    }
  }

  static void write(byte[] bytes, int at, long value) {
    for (int i = 0; i < Long.BYTES; i++) {
      bytes[at + i] = (byte) (value >>> (8 * (Long.BYTES - 1 - i)));
    }
  }

  /**
   * @param at offset of the field's first byte
   */
  static void write(Packet packet, int at, Field field, long value) {
    require(field, value);
    int count = field.bytes();
    for (int i = 0; i < count; i++) {
      int place = field.isLittleEndian() ? count - 1 - i : i;
      packet.u8(at + place, merged(packet.u8(at + place), i, field, value));
    }
  }

  /** A byte with the field's bits in it; {@code index} counts from that of the highest bits. */
  private static int merged(int before, int index, Field field, long value) {
    int bits = field.bits();
    int skipped = field.isFixed() ? field.bitOffset() & 7 : 0;
    int below = 8 * field.bytes() - skipped - bits; // Bits behind the field in its last byte.
    int shift = 8 * (field.bytes() - 1 - index) - below;
    long mask = bits == Long.SIZE ? -1 : (1L << bits) - 1;
    long units = value / field.factor();
    long field8 = shift >= 0 ? units >>> shift : units << -shift;
    long mask8 = shift >= 0 ? mask >>> shift : mask << -shift;
    return (int) ((before & ~mask8) | (field8 & mask8)) & 0xFF;
  }
}
