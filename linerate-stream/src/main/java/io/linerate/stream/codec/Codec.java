package io.linerate.stream.codec;

import java.lang.foreign.MemorySegment;

/**
 * Compresses ranges of native memory, each by itself, and decompresses them.
 *
 * <p>What is decompressed may come from anybody. Nothing is written behind the room that the caller
 * gives, no memory is allocated by what the bytes say, and bytes that are not what {@link
 * #compress} makes cost a result, not an exception.
 *
 * <p>One thread's own: that of the first call. It is closed there, or when that thread has ended.
 */
public sealed interface Codec extends AutoCloseable
    permits DeflateCodec, Lz4Codec, ZlibCodec, ZstdCodec {
  /** The result when there is not enough room, or when the bytes are not what they should be. */
  int FAILED = -1;

  /** What one call compresses at most: 1 GiB. */
  int MAX_BYTES = 1 << 30;

  /** Room in which {@code bytes} of any content fit when they are compressed. */
  int maxCompressedBytes(int bytes);

  /**
   * Compresses a range, which must not overlap the target. Give less room than there are bytes, and
   * send them as they are if that fails.
   *
   * @param sourceBytes at most {@link #MAX_BYTES}
   * @param targetBytes room
   * @return bytes written, or {@link #FAILED} if they do not fit; the room has undefined bytes then
   * @throws IndexOutOfBoundsException if the ranges are not in the segments
   */
  int compress(
      MemorySegment source,
      long sourceAt,
      int sourceBytes,
      MemorySegment target,
      long targetAt,
      int targetBytes);

  /** Compresses the whole of one segment into another. */
  default int compress(MemorySegment source, MemorySegment target) {
    return compress(source, 0, NativeRange.length(source), target, 0, NativeRange.length(target));
  }

  /**
   * Decompresses what one call of {@link #compress} made; the ranges must not overlap.
   *
   * @param targetBytes room, and the limit of what is written
   * @return bytes written, or {@link #FAILED} if they do not fit, or if the source is not exactly
   *     one compressed range; the room has undefined bytes then
   * @throws IndexOutOfBoundsException if the ranges are not in the segments
   */
  int decompress(
      MemorySegment source,
      long sourceAt,
      int sourceBytes,
      MemorySegment target,
      long targetAt,
      int targetBytes);

  /** Decompresses the whole of one segment into another. */
  default int decompress(MemorySegment source, MemorySegment target) {
    return decompress(source, 0, NativeRange.length(source), target, 0, NativeRange.length(target));
  }

  /** Frees what it has of native memory, which is freed later where nobody closes. */
  @Override
  void close();
}
