package io.linerate.decode;

import io.linerate.core.memory.ByteView;
import io.linerate.core.memory.Packet;
import org.jspecify.annotations.Nullable;

/**
 * One layer of the packet that a {@link Decoder} has decoded: which bytes it has, and its fields.
 * Decoders make them before the first packet and use them for every packet: what one says holds
 * until the next is decoded.
 *
 * <p>{@link #value} reads a field with a fixed place, in a few instructions where the field is a
 * constant. What has no fixed place is dissected: see {@link Decoder#dissect}.
 */
public final class Layer {
  /** Of a view of a place: whatever protocol is there. */
  private static final int ANY = -1;

  private final LayerTable table;

  /** Its place; of a view of a protocol, where that was found. */
  private final int place;

  private final int number;

  /** What that declares; of a view of a place nobody knows before. */
  private final @Nullable Fields fields;

  private Layer(LayerTable table, int place, int number) {
    this.table = table;
    this.place = place;
    this.number = number;
    fields = number == ANY ? null : table.fields[number];
  }

  /** Of the layer that is found at a place. */
  static Layer at(LayerTable table, int place) {
    return new Layer(table, place, ANY);
  }

  /** Of the first layer of a protocol. */
  static Layer of(LayerTable table, int number) {
    return new Layer(table, ANY, number);
  }

  /**
   * Which of the packet's layers it is, from 0 on.
   *
   * @throws IllegalStateException if the packet has none of its protocol
   */
  public int index() {
    return row().place;
  }

  private LayerRow row() {
    return place != ANY ? table.row(place) : table.firstOf(number);
  }

  /** Whether the packet has it. */
  public boolean isPresent() {
    return place != ANY ? table.isPlace(place) : table.has(number);
  }

  public Protocol protocol() {
    return table.protocols.all().get(protocolNumber());
  }

  /** What the protocol is called, such as {@code udp}. */
  public String name() {
    return protocol().fields().name();
  }

  /** Whether it is one of a protocol. */
  @SuppressWarnings("ReferenceEquality") // A declaration is itself only.
  public boolean is(Fields fields) {
    return table.fields[protocolNumber()] == fields;
  }

  /** Place of the protocol among {@link Protocols#all}. */
  public int protocolNumber() {
    return number != ANY ? number : table.number(place);
  }

  /** The bytes that it is in: those of the packet, or others if it was put together. */
  public ByteView bytes() {
    return table.bytes(index());
  }

  /** Offset of its first byte. */
  public int offset() {
    return row().offset();
  }

  /** Offset of the first byte behind its header: of what it carries. */
  public int payloadOffset() {
    return row().headerEnd();
  }

  /** Offset of the first byte behind it and all that it carries, as far as that is there. */
  public int end() {
    return row().end();
  }

  /** Whether a capture has left out its last bytes. */
  boolean isCutOff() {
    LayerRow row = row();
    return !row.isBegun() && row.end() < claimedEnd();
  }

  /** As {@link #end}, of what was sent: not less. */
  int claimedEnd() {
    return table.claimedEnd(index());
  }

  /** Bytes of what it carries; behind them there may be a trailer. */
  public int payloadBytes() {
    int index = index();
    return table.payloadEnd(index) - table.headerEnd(index);
  }

  /** As {@link #payloadBytes}, of what was sent: not less. */
  public int claimedPayloadBytes() {
    int index = index();
    int sent = table.payloadEnd(index) < table.end(index) ? 0 : table.claimedEnd(index);
    return Math.max(sent, table.payloadEnd(index)) - table.headerEnd(index);
  }

  /** What is wrong with it, as far as it was looked at. */
  public Mark mark() {
    return table.mark(index());
  }

  void mark(Mark mark) {
    table.mark(index(), mark);
  }

  /** Whether all bytes of a field with a fixed place are there. */
  public boolean has(Field field) {
    require(field);
    LayerRow row = row();
    return row.offset() + field.byteOffset() + field.bytes() <= row.end();
  }

  /**
   * A field with a fixed place of up to 64 bits.
   *
   * @throws IllegalArgumentException if it is another protocol's, or has no fixed place
   * @throws IndexOutOfBoundsException if it is not in the packet
   */
  public long value(Field field) {
    require(field);
    LayerRow row = row();
    int at = row.offset() + field.byteOffset();
    Packet packet = table.usual();
    return packet != null
        ? number(packet, at, field.bitOffset() & 7, field) * field.factor()
        : apart(row.place, at, field);
  }

  /** Of bytes that may be others than the packet's. */
  private long apart(int place, int at, Field field) {
    return number(table.bytes(place), at, field.bitOffset() & 7, field) * field.factor();
  }

  /**
   * Writes a field with a fixed place of up to 64 bits. Checksums and what else depends on it are
   * not touched, nor what the decoder has found.
   *
   * @throws IllegalArgumentException if it is another protocol's, has no fixed place, or the value
   *     does not fit
   * @throws IllegalStateException if the layer is in bytes that cannot be written
   */
  public Layer value(Field field, long value) {
    require(field);
    if (!(bytes() instanceof Packet packet)) {
      throw new IllegalStateException(
          "layer is not in a packet of its own: layer=%s; write to packets".formatted(name()));
    }
    FieldWriter.write(packet, offset() + field.byteOffset(), field, value);
    return this;
  }

  /** The first eight bytes of a field with a fixed place of 128 bits. */
  public long high(Field field) {
    require128(field);
    return bytes().u64(offset() + field.byteOffset());
  }

  /** The last eight bytes of a field with a fixed place of 128 bits. */
  public long low(Field field) {
    require128(field);
    return bytes().u64(offset() + field.byteOffset() + 8);
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
      requireOfPlace(field);
    }
  }

  @SuppressWarnings("ReferenceEquality")
  private void requireOfPlace(Field field) {
    if (field.owner() != table.fields[protocolNumber()] || !field.isFixed()) {
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
    long mask = bits >= Long.SIZE ? -1 : (1L << bits) - 1;
    if (count <= 2 && !isLittleEndian) {
      int few = count == 1 ? bytes.u8(at) : bytes.u16(at);
      return (few >>> (8 * count - skipped - bits)) & mask;
    }
    return (manyBytes(bytes, at, count, isLittleEndian) >>> (8 * count - skipped - bits)) & mask;
  }

  private static long manyBytes(ByteView bytes, int at, int count, boolean isLittleEndian) {
    long value = 0;
    for (int i = 0; i < count; i++) {
      value = (value << 8) | bytes.u8(isLittleEndian ? at + count - 1 - i : at + i);
    }
    return value;
  }

  @Override
  public String toString() {
    return isPresent() ? name() + "[" + offset() + ", " + end() + ")" : "Layer[none]";
  }
}
