package io.linerate.core.memory;

import java.util.Objects;

/** The bytes of an array. */
final class ArrayBytes implements ByteView {
  private final byte[] bytes;
  private final int length;

  ArrayBytes(byte[] bytes, int length) {
    this.bytes = bytes;
    this.length = Objects.checkFromIndexSize(0, length, bytes.length) + length;
  }

  @Override
  public int length() {
    return length;
  }

  @Override
  public int u8(int offset) {
    return bytes[Objects.checkIndex(offset, length)] & 0xFF;
  }

  @Override
  public void get(int offset, byte[] target, int targetIndex, int count) {
    System.arraycopy(
        bytes, Objects.checkFromIndexSize(offset, count, length), target, targetIndex, count);
  }
}
