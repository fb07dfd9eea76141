package io.linerate.stream.codec;

import java.lang.foreign.MemorySegment;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * {@link Compression#DEFLATE}, by the JDK. A call makes two small objects, for the JDK wants
 * buffers; bytes that are malformed make an exception in it, which goes no further.
 */
final class DeflateCodec implements Codec {
  private final OneThread thread = new OneThread();
  private final Deflater deflater;
  private final Inflater inflater = new Inflater(true);

  /** Room that is one byte more than the caller's. */
  private final byte[] excess = new byte[1];

  DeflateCodec(int level) {
    deflater = new Deflater(level, true);
  }

  @Override
  public int maxCompressedBytes(int bytes) {
    return bound(bytes);
  }

  /** The bound of zlib's deflateBound for all settings, also of zlibs that are not zlib. */
  static int bound(int bytes) {
    NativeRange.checkLength(bytes);
    return Math.addExact(bytes, ((bytes + 7) >> 3) + ((bytes + 63) >> 6) + 16);
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
    check(source, sourceAt, sourceBytes, target, targetAt, targetBytes);
    deflater.reset();
    deflater.setInput(source.asSlice(sourceAt, sourceBytes).asByteBuffer());
    deflater.finish();
    int written = deflater.deflate(target.asSlice(targetAt, targetBytes).asByteBuffer());
    // Where the room is full, zlib looks for the end only if there is some.
    boolean isWhole = deflater.finished() || (deflater.deflate(excess) == 0 && deflater.finished());
    return isWhole ? written : FAILED;
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
    check(source, sourceAt, sourceBytes, target, targetAt, targetBytes);
    inflater.reset();
    inflater.setInput(source.asSlice(sourceAt, sourceBytes).asByteBuffer());
    try {
      int written = inflater.inflate(target.asSlice(targetAt, targetBytes).asByteBuffer());
      return isAtEnd() && inflater.getRemaining() == 0 ? written : FAILED;
    } catch (DataFormatException e) {
      return FAILED;
    }
  }

  private static void check(
      MemorySegment source,
      long sourceAt,
      int sourceBytes,
      MemorySegment target,
      long targetAt,
      int targetBytes) {
    long from = NativeRange.source(source, sourceAt, sourceBytes);
    long to = NativeRange.target(target, targetAt, targetBytes);
    NativeRange.checkApart(from, sourceBytes, to, targetBytes);
  }

  /** Where the room is full, the end may still have to be read. */
  private boolean isAtEnd() throws DataFormatException {
    return inflater.finished() || (inflater.inflate(excess) == 0 && inflater.finished());
  }

  @Override
  public void close() {
    if (thread.close()) {
      deflater.end();
      inflater.end();
    }
  }
}
