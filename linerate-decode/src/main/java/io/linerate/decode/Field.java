package io.linerate.decode;

import org.jspecify.annotations.Nullable;

/**
 * One field of a protocol, declared once: accessors, texts and the documentation follow from it.
 * {@link Fields} makes them.
 *
 * <p>It is a record so that the compiler takes what it says for constant where the field is a
 * {@code static final}: a read of it is a load then.
 *
 * @param owner the protocol's fields
 * @param number of it among those, from 0 on
 * @param name as users write it; where tshark has the field, what it calls it
 * @param label what people read, such as {@code Destination port}
 * @param bitOffset of the first bit from where the layer begins, {@link #ANYWHERE} if it has no
 *     fixed place
 * @param bits of it, 0 if it has no fixed length
 * @param containerBits of the integer that it is a part of: it says how many digits are printed
 * @param factor by which its bits are multiplied for its value
 * @param isLittleEndian whether its bytes come last one first
 * @param source section of a document that defines it
 * @param values what its values are called; null: nothing
 */
public record Field(
    Fields owner,
    int number,
    String name,
    String label,
    Kind kind,
    int bitOffset,
    int bits,
    int containerBits,
    int factor,
    boolean isLittleEndian,
    String source,
    @Nullable ValueNames values) {
  /** Of a field without a fixed place. */
  public static final int ANYWHERE = -1;

  /** Whether every layer has it at one place, if it is long enough. */
  public boolean isFixed() {
    return bitOffset >= 0;
  }

  /** Offset of its first byte from where the layer begins, if it has a fixed place. */
  public int byteOffset() {
    return bitOffset >>> 3;
  }

  /** Bytes that it touches. */
  public int bytes() {
    return isFixed() ? ((bitOffset + bits + 7) >>> 3) - byteOffset() : (bits + 7) >>> 3;
  }

  @Override
  public String toString() {
    return name;
  }
}
