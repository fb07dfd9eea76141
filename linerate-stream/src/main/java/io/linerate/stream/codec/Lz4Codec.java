package io.linerate.stream.codec;

import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;

/** {@link Compression#LZ4}: one block for each range; the block does not say how long it is. */
final class Lz4Codec implements Codec {
  /** Up to here clearing the table takes longer than the table that need not be cleared costs. */
  private static final int SHORT_BYTES = 512;

  private final OneThread thread = new OneThread();
  private final NativeState memory;

  // One for each way: the library does not take a state from one to the other.
  private final long state;
  private final long shortState;
  private final int acceleration;

  Lz4Codec(int acceleration) {
    this.acceleration = acceleration;
    state = Lz4.create();
    shortState = Lz4.create();
    memory = new NativeState(this, freeing(state, shortState));
  }

  private static Runnable freeing(long state, long shortState) {
    return () -> {
      Lz4.free(state);
      Lz4.free(shortState);
    };
  }

  /** LZ4_COMPRESSBOUND. */
  @Override
  public int maxCompressedBytes(int bytes) {
    NativeRange.checkLength(bytes);
    return bytes + bytes / 255 + 16;
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
      int written =
          sourceBytes <= SHORT_BYTES
              ? Lz4.compressShort(
                  shortState, acceleration, from, sourceBytes, to, targetBytes, source, target)
              : Lz4.compress(
                  state, acceleration, from, sourceBytes, to, targetBytes, source, target);
      return written <= 0 ? FAILED : written;
    } finally {
      Reference.reachabilityFence(this);
    }
  }

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
    int written = Lz4.decompress(from, sourceBytes, to, targetBytes, source, target);
    return written < 0 ? FAILED : written;
  }

  @Override
  public void close() {
    if (thread.close()) {
      memory.free();
    }
  }
}
