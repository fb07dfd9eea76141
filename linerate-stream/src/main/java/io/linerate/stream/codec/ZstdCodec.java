package io.linerate.stream.codec;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.nio.ByteOrder;

/** {@link Compression#ZSTD}: one frame for each range, with the length of its content. */
final class ZstdCodec implements Codec {
  /** Of RFC 8878, 3.1.1. Older formats, whose decoders a library may have, begin otherwise. */
  private static final int MAGIC_NUMBER = 0xFD2F_B528;

  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final OneThread thread = new OneThread();
  private final long compressor;
  private final long decompressor;
  private final NativeState memory;

  ZstdCodec(int level) {
    compressor = Zstd.createCompressor(level);
    decompressor = Zstd.createDecompressor();
    memory = new NativeState(this, freeing(compressor, decompressor));
  }

  private static Runnable freeing(long compressor, long decompressor) {
    return () -> {
      Zstd.freeCompressor(compressor);
      Zstd.freeDecompressor(decompressor);
    };
  }

  /** ZSTD_COMPRESSBOUND. */
  @Override
  public int maxCompressedBytes(int bytes) {
    NativeRange.checkLength(bytes);
    return bytes + (bytes >> 8) + (Math.max(0, (1 << 17) - bytes) >> 11);
  }

  @Override
  public int compress(
      MemorySegment source,
      long sourceAt,
      int sourceBytes,
      MemorySegment target,
      long targetAt,
      int targetBytes) {
    thread.check();
    NativeRange.checkLength(sourceBytes);
    long from = NativeRange.source(source, sourceAt, sourceBytes);
    long to = NativeRange.target(target, targetAt, targetBytes);
    NativeRange.checkApart(from, sourceBytes, to, targetBytes);
    try {
      long written = Zstd.compress(compressor, to, targetBytes, from, sourceBytes, source, target);
      return written < 0 ? FAILED : (int) written;
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /** Memory that zstd allocates here depends on no byte of the source: the room is its window. */
  @Override
  public int decompress(
      MemorySegment source,
      long sourceAt,
      int sourceBytes,
      MemorySegment target,
      long targetAt,
      int targetBytes) {
    thread.check();
    long from = NativeRange.source(source, sourceAt, sourceBytes);
    long to = NativeRange.target(target, targetAt, targetBytes);
    NativeRange.checkApart(from, sourceBytes, to, targetBytes);
    if (!isOneFrame(source, sourceAt, sourceBytes)) {
      return FAILED;
    }
    try {
      long written =
          Zstd.decompress(decompressor, to, targetBytes, from, sourceBytes, source, target);
      return written < 0 ? FAILED : (int) written;
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  private static boolean isOneFrame(MemorySegment source, long at, int bytes) {
    return bytes >= Integer.BYTES
        && source.get(INT, at) == MAGIC_NUMBER
        && Zstd.frameBytes(source.address() + at, bytes, source) == bytes;
  }

  @Override
  public void close() {
    if (thread.close()) {
      memory.free();
    }
  }
}
