package io.linerate.decode;

import io.linerate.core.memory.ByteView;
import java.util.Objects;

/**
 * One layer of the packet that a {@link Decoder} has decoded: which bytes it has, and its fields.
 * Decoders make them before the first packet and use them for every packet: what one says holds
 * until the next is decoded.
 *
 * <p>{@link #value} reads a field with a fixed place, of a few instructions where the field is a
 * constant. What has no fixed place is dissected: see {@link Decoder#dissect}.
 */
public final class Layer {
  final Protocol protocol;
  final Fields fields;

  /** Of the protocol, in the decoder's protocols. */
  final int number;

  @SuppressWarnings("NullAway.Init")
  ByteView bytes;

  int index = -1;
  int offset;
  int headerEnd;
  int end;
  int claimedEnd;
  Mark mark = Mark.SOUND;

  Layer(Protocol protocol, int number) {
    this.protocol = protocol;
    fields = protocol.fields();
    this.number = number;
  }

  public Protocol protocol() {
    return protocol;
  }

  /** What the protocol is called, such as {@code udp}. */
  public String name() {
    return fields.name();
  }

  /** Place of the protocol among {@link Protocols#all}. */
  public int protocolNumber() {
    return number;
  }

  /** Which of the packet's layers it is, from 0 on; -1 if it is in none. */
  public int index() {
    return index;
  }

  /** The bytes that it is in: those of the packet, or others if it was put together. */
  public ByteView bytes() {
    return bytes;
  }

  /** Offset of its first byte. */
  public int offset() {
    return offset;
  }

  /** Offset of the first byte behind its header: of what it carries. */
  public int payloadOffset() {
    return headerEnd;
  }

  /** Offset of the first byte behind it and all that it carries, as far as that is there. */
  public int end() {
    return end;
  }

  /** Bytes of what it carries. */
  public int payloadBytes() {
    return end - headerEnd;
  }

  /** What is wrong with it, as far as it was looked at. */
  public Mark mark() {
    return mark;
  }

  /** Whether all bytes of a field with a fixed place are there. */
  public boolean has(Field field) {
    require(field);
    return offset + field.byteOffset() + field.bytes() <= end;
  }

  /**
   * A field with a fixed place of up to 64 bits.
   *
   * @throws IllegalArgumentException if it is another protocol's, or has no fixed place
   * @throws IndexOutOfBoundsException if it is not in the packet
   */
  public long value(Field field) {
    require(field);
    return number(bytes, offset + field.byteOffset(), field.bitOffset() & 7, field)
        * field.factor();
  }

  /** The first eight bytes of a field with a fixed place of 128 bits. */
  public long high(Field field) {
    require128(field);
    return bytes.u64(offset + field.byteOffset());
  }

  /** The last eight bytes of a field with a fixed place of 128 bits. */
  public long low(Field field) {
    require128(field);
    return bytes.u64(offset + field.byteOffset() + 8);
  }

  private void require128(Field field) {
    require(field);
    if (field.bits() != 128) {
      throw new IllegalArgumentException(
          "field has other than 128 bits: field=%s, bits=%d; read its value"
              .formatted(field.name(), field.bits()));
    }
  }

  @SuppressWarnings("ReferenceEquality") // A declaration is itself only.
  private void require(Field field) {
    if (field.owner() != fields || !field.isFixed()) {
      throw refused(field);
    }
  }

  private IllegalArgumentException refused(Field field) {
    return new IllegalArgumentException(
        field.isFixed()
            ? "field is of another protocol: field=%s, layer=%s; ask the layer that has it"
                .formatted(field.name(), name())
            : "field has no fixed place: field=%s; dissect the layer".formatted(field.name()));
  }

  /**
   * A number of the width that a field has.
   *
   * @param skipped bits before it in the first byte
   */
  static long number(ByteView bytes, int at, int skipped, Field field) {
    if (skipped == 0) {
      switch (field.bits()) {
        case 8 -> {
          return bytes.u8(at);
        }
        case 16 -> {
          int value = bytes.u16(at);
          return field.isLittleEndian() ? Short.reverseBytes((short) value) & 0xFFFF : value;
        }
        case 32 -> {
          int value = bytes.i32(at);
          return (field.isLittleEndian() ? Integer.reverseBytes(value) : value) & 0xFFFF_FFFFL;
        }
        case 64 -> {
          long value = bytes.u64(at);
          return field.isLittleEndian() ? Long.reverseBytes(value) : value;
        }
        default -> {}
      }
    }
    return oddNumber(bytes, at, skipped, field.bits(), field.isLittleEndian());
  }

  private static long oddNumber(
      ByteView bytes, int at, int skipped, int bits, boolean isLittleEndian) {
    int count = (skipped + bits + 7) >>> 3;
    long value = 0;
    for (int i = 0; i < count; i++) {
      value = (value << 8) | bytes.u8(isLittleEndian ? at + count - 1 - i : at + i);
    }
    long mask = bits >= Long.SIZE ? -1 : (1L << bits) - 1;
    return (value >>> (8 * count - skipped - bits)) & mask;
  }

  @Override
  public String toString() {
    return Objects.toString(name()) + "[" + offset + ", " + end + ")";
  }
}
