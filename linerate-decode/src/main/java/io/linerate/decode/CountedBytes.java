package io.linerate.decode;

import io.linerate.core.memory.ByteView;

/** Bytes of others, and how many of them were read. */
final class CountedBytes implements ByteView {
  private ByteView bytes;
  private long reads;

  CountedBytes(ByteView first) {
    bytes = first;
  }

  /** Is those bytes from now on, of which none were read. */
  CountedBytes of(ByteView others) {
    bytes = others;
    reads = 0;
    return this;
  }

  long reads() {
    return reads;
  }

  @Override
  public int length() {
    return bytes.length();
  }

  @Override
  public int u8(int offset) {
    reads++;
    return bytes.u8(offset);
  }

  @Override
  public int u16(int offset) {
    reads += Short.BYTES;
    return bytes.u16(offset);
  }

  @Override
  public int i32(int offset) {
    reads += Integer.BYTES;
    return bytes.i32(offset);
  }

  @Override
  public long u64(int offset) {
    reads += Long.BYTES;
    return bytes.u64(offset);
  }
}
