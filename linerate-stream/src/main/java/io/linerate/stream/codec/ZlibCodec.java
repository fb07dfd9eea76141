package io.linerate.stream.codec;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;

/** {@link Compression#DEFLATE} by the system's zlib. */
final class ZlibCodec implements Codec {
  private final OneThread thread = new OneThread();
  private final MemorySegment deflater = stream();
  private final MemorySegment inflater = stream();

  /** Where nothing is written: zlib wants an address all the same. */
  private final MemorySegment nowhere = stream();

  private final NativeState memory;

  ZlibCodec(int level) {
    Zlib.beginInflate(inflater);
    try {
      Zlib.beginDeflate(deflater, level);
    } catch (RuntimeException e) {
      Zlib.endInflate(inflater);
      throw e;
    }
    memory = new NativeState(this, freeing(deflater, inflater));
  }

  private static MemorySegment stream() {
    return Arena.ofAuto().allocate(Zlib.STREAM_BYTES, Long.BYTES);
  }

  private static Runnable freeing(MemorySegment deflater, MemorySegment inflater) {
    return () -> {
      Zlib.endDeflate(deflater);
      Zlib.endInflate(inflater);
    };
  }

  @Override
  public int maxCompressedBytes(int bytes) {
    return DeflateCodec.bound(bytes);
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
    give(deflater, source, sourceAt, sourceBytes, target, targetAt, targetBytes);
    try {
      if (Zlib.deflate(deflater, source, target) == Zlib.END) {
        return targetBytes - Zlib.room(deflater);
      }
      return isExactly() ? targetBytes : FAILED;
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /** Whether nothing was left when there was no more room: zlib looks only if there is some. */
  private boolean isExactly() {
    if (Zlib.left(deflater) > 0 || Zlib.room(deflater) > 0) {
      return false;
    }
    Zlib.give(deflater, nowhere.address(), 0, nowhere.address(), 1);
    return Zlib.deflateMore(deflater) == Zlib.END && Zlib.room(deflater) == 1;
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
    give(inflater, source, sourceAt, sourceBytes, target, targetAt, targetBytes);
    try {
      boolean isSound =
          Zlib.inflate(inflater, source, target) == Zlib.END && Zlib.left(inflater) == 0;
      return isSound ? targetBytes - Zlib.room(inflater) : FAILED;
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  private void give(
      MemorySegment stream,
      MemorySegment source,
      long sourceAt,
      int sourceBytes,
      MemorySegment target,
      long targetAt,
      int targetBytes) {
    long from = NativeRange.source(source, sourceAt, sourceBytes);
    long to = NativeRange.target(target, targetAt, targetBytes);
    NativeRange.checkApart(from, sourceBytes, to, targetBytes);
    Zlib.give(stream, from, sourceBytes, targetBytes == 0 ? nowhere.address() : to, targetBytes);
  }

  @Override
  public void close() {
    if (thread.close()) {
      memory.free();
    }
  }
}
