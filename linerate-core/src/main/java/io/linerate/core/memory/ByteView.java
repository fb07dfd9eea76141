package io.linerate.core.memory;

/**
 * Bytes in order, wherever they lie: in a packet, or put together from several. Integers are in
 * network byte order. Whatever is not inside throws {@link IndexOutOfBoundsException}.
 */
public interface ByteView {
  /**
   * The first bytes of an array, which is read where it is.
   *
   * @throws IndexOutOfBoundsException if it has fewer
   */
  static ByteView of(byte[] bytes, int length) {
    return new ArrayBytes(bytes, length);
  }

  /** How many there are. */
  int length();

  /**
   * One of them, 0 to 255.
   *
   * @param offset of it, from 0 on
   */
  int u8(int offset);

  /** Two of them, 0 to 65,535. */
  default int u16(int offset) {
    return u8(offset) << Byte.SIZE | u8(offset + 1);
  }

  /** Four of them as they are: the customary form of an IPv4 address. */
  default int i32(int offset) {
    return u16(offset) << Short.SIZE | u16(offset + 2);
  }

  /** Four of them, 0 to 4,294,967,295. */
  default long u32(int offset) {
    return Integer.toUnsignedLong(i32(offset));
  }

  /** Eight of them as they are. */
  default long u64(int offset) {
    return u32(offset) << Integer.SIZE | u32(offset + 4);
  }

  /** Copies {@code count} of them into {@code target}. */
  default void get(int offset, byte[] target, int targetIndex, int count) {
    for (int i = 0; i < count; i++) {
      target[targetIndex + i] = (byte) u8(offset + i);
    }
  }
}
