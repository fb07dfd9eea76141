package io.linerate.stream.net;

import io.linerate.stream.codec.Codec;
import java.lang.foreign.MemorySegment;

/** Of {@link PayloadCodec#compressed}. */
final class CompressedWork implements PayloadWork {
  static final int ADDED_BYTES = Integer.BYTES;

  private final Codec codec;

  CompressedWork(Codec codec) {
    this.codec = codec;
  }

  @Override
  public int write(MemorySegment source, long at, int bytes, MemorySegment target, long targetAt) {
    int packed =
        bytes == 0
            ? Codec.FAILED
            : codec.compress(source, at, bytes, target, targetAt + ADDED_BYTES, bytes - 1);
    if (packed != Codec.FAILED) {
      target.set(Datagram.U32, targetAt, bytes);
      return ADDED_BYTES + packed;
    }
    target.set(Datagram.U32, targetAt, ~bytes);
    MemorySegment.copy(source, at, target, targetAt + ADDED_BYTES, bytes);
    return ADDED_BYTES + bytes;
  }

  @Override
  public int read(
      MemorySegment source, long at, int bytes, MemorySegment target, long targetAt, int room) {
    int packed = bytes - ADDED_BYTES;
    if (packed < 0) {
      return FAILED;
    }
    int said = source.get(Datagram.U32, at);
    int length = said < 0 ? ~said : said;
    if (length > room) {
      return FAILED;
    }
    if (said < 0) {
      if (packed != length) {
        return FAILED;
      }
      MemorySegment.copy(source, at + ADDED_BYTES, target, targetAt, length);
      return length;
    }
    int read = codec.decompress(source, at + ADDED_BYTES, packed, target, targetAt, length);
    return read == length ? length : FAILED;
  }

  @Override
  public void close() {
    codec.close();
  }
}
