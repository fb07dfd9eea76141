package io.linerate.stream.net;

import java.lang.foreign.MemorySegment;

/** Of {@link PayloadCodec#plain}. */
final class PlainWork implements PayloadWork {
  @Override
  public int write(MemorySegment source, long at, int bytes, MemorySegment target, long targetAt) {
    MemorySegment.copy(source, at, target, targetAt, bytes);
    return bytes;
  }

  @Override
  public int read(
      MemorySegment source, long at, int bytes, MemorySegment target, long targetAt, int room) {
    if (bytes > room) {
      return FAILED;
    }
    MemorySegment.copy(source, at, target, targetAt, bytes);
    return bytes;
  }

  @Override
  public void close() {}
}
