package io.linerate.stream.codec;

import io.linerate.core.driver.CFunction;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** The functions of liblz4, from 1.9.0 on. No call is {@code critical}: any may take long. */
final class Lz4 {
  static final NativeLibrary LIBRARY = NativeLibrary.load("lz4", "liblz4.so.1", "deflate");

  private static final MethodHandle CREATE = LIBRARY.function("LZ4_createStream");
  private static final MethodHandle FREE = LIBRARY.function("LZ4_freeStream");
  private static final MethodHandle RESET = LIBRARY.function("LZ4_resetStream_fast");
  private static final MethodHandle COMPRESS =
      LIBRARY.holdingFunction("LZ4_compress_fast_extState");
  private static final MethodHandle COMPRESS_CONTINUE =
      LIBRARY.holdingFunction("LZ4_compress_fast_continue");
  private static final MethodHandle DECOMPRESS = LIBRARY.holdingFunction("LZ4_decompress_safe");

  private Lz4() {}

  /** Makes the state of a compressor. */
  static long create() {
    long state = CFunction.call(CREATE);
    if (state == 0) {
      throw new IllegalStateException("lz4 has no memory; free some");
    }
    return state;
  }

  static void free(long state) {
    long _ = CFunction.call(FREE, state);
  }

  /**
   * Bytes written, or 0. Clears a table of 16 KiB first.
   *
   * @param held has the source
   * @param heldTarget has the target
   */
  static int compress(
      long state,
      int acceleration,
      long source,
      int sourceBytes,
      long target,
      int targetBytes,
      MemorySegment held,
      MemorySegment heldTarget) {
    try {
      long written =
          (long)
              COMPRESS.invokeExact(
                  state,
                  source,
                  target,
                  (long) sourceBytes,
                  (long) targetBytes,
                  (long) acceleration,
                  held,
                  heldTarget);
      return (int) written;
    } catch (Throwable e) {
      throw CFunction.failed(e);
    }
  }

  /** Bytes written, or 0. The table stays, with what is in it out of reach. */
  static int compressShort(
      long state,
      int acceleration,
      long source,
      int sourceBytes,
      long target,
      int targetBytes,
      MemorySegment held,
      MemorySegment heldTarget) {
    try {
      long _ = (long) RESET.invokeExact(state, 0L, 0L, 0L, 0L, 0L);
      long written =
          (long)
              COMPRESS_CONTINUE.invokeExact(
                  state,
                  source,
                  target,
                  (long) sourceBytes,
                  (long) targetBytes,
                  (long) acceleration,
                  held,
                  heldTarget);
      return (int) written;
    } catch (Throwable e) {
      throw CFunction.failed(e);
    }
  }

  /** Bytes written, or a negative number. */
  static int decompress(
      long source,
      int sourceBytes,
      long target,
      int targetBytes,
      MemorySegment held,
      MemorySegment heldTarget) {
    try {
      long written =
          (long)
              DECOMPRESS.invokeExact(
                  source, target, (long) sourceBytes, (long) targetBytes, 0L, 0L, held, heldTarget);
      return (int) written;
    } catch (Throwable e) {
      throw CFunction.failed(e);
    }
  }
}
