package io.linerate.decode;

import io.linerate.core.memory.ByteView;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * One layer of a packet that is being made, for {@link Protocol#complete}: what was set, what
 * follows, and how long it is.
 */
public final class LayerBuilder {
  private static final int FIRST_BYTES = 64;

  private final PacketBuilder packet;
  private final int index;
  private final Protocol protocol;
  private final BitSet isSet = new BitSet();
  private byte[] bytes = new byte[FIRST_BYTES];
  private int length;
  private byte[] carried = {};

  LayerBuilder(PacketBuilder packet, int index, Protocol protocol) {
    this.packet = packet;
    this.index = index;
    this.protocol = protocol;
    for (Field field : protocol.fields().all()) {
      if (field.isFixed()) {
        length = Math.max(length, field.byteOffset() + field.bytes());
      }
    }
    bytes = Arrays.copyOf(bytes, Math.max(length, FIRST_BYTES));
  }

  /** Bytes of the header so far. */
  public int length() {
    return length;
  }

  /** Bytes of the header and all that it carries. */
  public int totalLength() {
    return length + carried.length;
  }

  /** Whether the user has set a field. */
  public boolean isSet(Field field) {
    return isSet.get(field.number());
  }

  /** Sets a field if the user has not. */
  public void complete(Field field, long value) {
    if (!isSet(field)) {
      write(field, value);
    }
  }

  /** A field with a fixed place, as it is now. */
  public long value(Field field) {
    return Layer.number(
            ByteView.of(bytes, length), field.byteOffset(), field.bitOffset() & 7, field)
        * field.factor();
  }

  /** The number in a table that stands for what follows; -1 if nothing follows, or none does. */
  public long next(DispatchTable table) {
    LayerBuilder inner = packet.at(index + 1);
    return inner == null ? -1 : packet.key(table, inner.protocol);
  }

  /** The layer that carries this one; null if none does. */
  public @Nullable LayerBuilder outer() {
    return packet.at(index - 1);
  }

  /** What its protocol is called. */
  public String name() {
    return protocol.fields().name();
  }

  /** Whether it is a layer of a protocol. */
  @SuppressWarnings("ReferenceEquality") // A declaration is itself only.
  public boolean is(Fields fields) {
    return protocol.fields() == fields;
  }

  /**
   * The Internet checksum (RFC 1071) of the header, and what it carries.
   *
   * @param further sum of 16-bit words that are summed up beside it, such as those of a
   *     pseudo-header
   * @param withCarried whether what it carries is summed up
   */
  public int checksum(long further, boolean withCarried) {
    long sum = further + sum(bytes, length);
    if (withCarried) {
      // An odd header does not come here: all of them are of whole words.
      sum += sum(carried, carried.length);
    }
    while (sum >>> 16 != 0) {
      sum = (sum & 0xFFFF) + (sum >>> 16);
    }
    return (int) ~sum & 0xFFFF;
  }

  /** The sum of the 16-bit words of a range of the header. */
  public long sum(int from, int count) {
    return sum(Arrays.copyOfRange(bytes, from, from + count), count);
  }

  private static long sum(byte[] words, int count) {
    long sum = 0;
    for (int i = 0; i < count; i++) {
      sum += (long) (words[i] & 0xFF) << ((i & 1) == 0 ? 8 : 0);
    }
    return sum;
  }

  void set(Field field, long value) {
    require(field);
    write(field, value);
    isSet.set(field.number());
  }

  void set(Field field, long high, long low) {
    require(field);
    if (field.bits() != 128) {
      throw new IllegalArgumentException(
          "field has other than 128 bits: field=%s, bits=%d; give it one number"
              .formatted(field.name(), field.bits()));
    }
    int at = field.isFixed() ? field.byteOffset() : extend(16);
    FieldWriter.write(bytes, at, high);
    FieldWriter.write(bytes, at + 8, low);
    isSet.set(field.number());
  }

  @SuppressWarnings("ReferenceEquality") // A declaration is itself only.
  private void require(Field field) {
    if (field.owner() != protocol.fields()) {
      throw new IllegalArgumentException(
          "field is of another protocol: field=%s, layer=%s; set it behind its own layer"
              .formatted(field.name(), protocol.fields().name()));
    }
  }

  private void write(Field field, long value) {
    FieldWriter.require(field, value);
    int at = field.isFixed() ? field.byteOffset() : extend(field.bytes());
    FieldWriter.write(bytes, at, field, value);
  }

  private int extend(int count) {
    int at = length;
    length += count;
    if (length > bytes.length) {
      bytes = Arrays.copyOf(bytes, 2 * length);
    }
    return at;
  }

  void append(byte... more) {
    int at = extend(more.length);
    System.arraycopy(more, 0, bytes, at, more.length);
  }

  byte[] complete(byte[] inner) {
    carried = inner;
    protocol.complete(this);
    byte[] whole = Arrays.copyOf(bytes, length + inner.length);
    System.arraycopy(inner, 0, whole, length, inner.length);
    return whole;
  }
}
