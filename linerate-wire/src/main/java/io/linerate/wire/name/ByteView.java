package io.linerate.wire.name;

/** Bytes in order, wherever they lie: in a packet, or put together from several. */
public interface ByteView {
  /** How many there are. */
  int length();

  /**
   * One of them, 0 to 255.
   *
   * @param index from 0 on
   * @throws IndexOutOfBoundsException if it is not below {@link #length}
   */
  int u8(int index);

  /** Two of them, 0 to 65,535. */
  default int u16(int index) {
    return u8(index) << Byte.SIZE | u8(index + 1);
  }
}
