package io.linerate.decode;

import io.linerate.core.memory.ByteView;

/** Sixteen bytes that are in no packet, but computed, as if they began at some offset. */
final class ComputedBytes implements ByteView {
  private static final int LENGTH = 16;

  private long high;
  private long low;
  private int start;

  void begin(long newHigh, long newLow, int newStart) {
    high = newHigh;
    low = newLow;
    start = newStart;
  }

  @Override
  public int length() {
    return start + LENGTH;
  }

  @Override
  public int u8(int offset) {
    int at = offset - start;
    if (at < 0 || at >= LENGTH) {
      throw new IndexOutOfBoundsException(
          "byte is not among those computed: offset=%d, start=%d".formatted(offset, start));
    }
    long half = at < Long.BYTES ? high : low;
    return (int) (half >>> (Long.SIZE - Byte.SIZE * (1 + at % Long.BYTES))) & 0xFF;
  }
}
