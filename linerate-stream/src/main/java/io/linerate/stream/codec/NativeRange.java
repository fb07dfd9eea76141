package io.linerate.stream.codec;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * Addresses of ranges that native code is given: within their segments, native, and writable if
 * need be. Whether the segment is alive, and this thread's, the call sees that is given it, too.
 */
final class NativeRange {
  private NativeRange() {}

  /** Of what is read. */
  static long source(MemorySegment segment, long at, int bytes) {
    if (!segment.isNative()) {
      throw onHeap(segment);
    }
    return segment.address() + Objects.checkFromIndexSize(at, bytes, segment.byteSize());
  }

  /** Of what is written. */
  static long target(MemorySegment segment, long at, int bytes) {
    // Native code writes where it may not, if it can, and ends the process, if it cannot.
    if (segment.isReadOnly()) {
      throw readOnly(segment);
    }
    return source(segment, at, bytes);
  }

  /** That two ranges have no byte in common. */
  static void checkApart(long source, int sourceBytes, long target, int targetBytes) {
    if (target - source < sourceBytes && source - target < targetBytes) {
      throw overlap(source, sourceBytes, target, targetBytes);
    }
  }

  /** That two ranges begin at the same byte, or have none in common. */
  static void checkApartOrSame(long source, int sourceBytes, long target, int targetBytes) {
    if (source != target) {
      checkApart(source, sourceBytes, target, targetBytes);
    }
  }

  /** That what is compressed is not longer than the libraries can count. */
  static void checkLength(int bytes) {
    if (bytes < 0 || bytes > Codec.MAX_BYTES) {
      throw new IllegalArgumentException(
          "cannot be compressed at once: bytes=%d, most=%d; cut it into blocks"
              .formatted(bytes, Codec.MAX_BYTES));
    }
  }

  /** The whole of a segment. */
  static int length(MemorySegment segment) {
    return (int) Math.min(segment.byteSize(), Integer.MAX_VALUE);
  }

  private static IllegalArgumentException overlap(
      long source, int sourceBytes, long target, int targetBytes) {
    return new IllegalArgumentException(
        "ranges overlap: source=0x%x, sourceBytes=%d, target=0x%x, targetBytes=%d; give a target elsewhere"
            .formatted(source, sourceBytes, target, targetBytes));
  }

  private static IllegalArgumentException onHeap(MemorySegment segment) {
    return new IllegalArgumentException(
        "not in native memory: segment=%s; copy it into an arena".formatted(segment));
  }

  private static IllegalArgumentException readOnly(MemorySegment segment) {
    return new IllegalArgumentException(
        "cannot be written: segment=%s; give one that is not read-only".formatted(segment));
  }
}
