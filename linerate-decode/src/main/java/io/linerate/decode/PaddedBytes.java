package io.linerate.decode;

import io.linerate.core.memory.ByteView;

/** Bytes of which those from an offset on are taken for 0, and of which there are any number. */
final class PaddedBytes implements ByteView {
  @SuppressWarnings("NullAway.Init")
  private ByteView bytes;

  private int end;

  void begin(ByteView newBytes, int newEnd) {
    bytes = newBytes;
    end = newEnd;
  }

  @Override
  public int length() {
    return Integer.MAX_VALUE;
  }

  @Override
  public int u8(int offset) {
    return offset < end ? bytes.u8(offset) : 0;
  }
}
