package io.linerate.stream.codec;

import io.linerate.core.driver.CFunction;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** The functions of libzstd, from 1.4.0 on. No call is {@code critical}: any may take long. */
final class Zstd {
  static final NativeLibrary LIBRARY = NativeLibrary.load("zstd", "libzstd.so.1", "deflate");

  /** ZSTD_c_compressionLevel. */
  private static final long COMPRESSION_LEVEL = 100;

  private static final MethodHandle CREATE_COMPRESSOR = LIBRARY.function("ZSTD_createCCtx");
  private static final MethodHandle CREATE_DECOMPRESSOR = LIBRARY.function("ZSTD_createDCtx");
  private static final MethodHandle FREE_COMPRESSOR = LIBRARY.function("ZSTD_freeCCtx");
  private static final MethodHandle FREE_DECOMPRESSOR = LIBRARY.function("ZSTD_freeDCtx");
  private static final MethodHandle SET_PARAMETER = LIBRARY.function("ZSTD_CCtx_setParameter");
  private static final MethodHandle COMPRESS = LIBRARY.holdingFunction("ZSTD_compress2");
  private static final MethodHandle DECOMPRESS = LIBRARY.holdingFunction("ZSTD_decompressDCtx");
  private static final MethodHandle FRAME_BYTES =
      LIBRARY.holdingFunction("ZSTD_findFrameCompressedSize");

  private Zstd() {}

  static long createCompressor(int level) {
    long context = CFunction.call(CREATE_COMPRESSOR);
    if (context == 0 || CFunction.call(SET_PARAMETER, context, COMPRESSION_LEVEL, level) < 0) {
      CFunction.call(FREE_COMPRESSOR, context);
      throw new IllegalStateException(
          "zstd makes no compressor: context=%d, level=%d; give the process more memory"
              .formatted(context, level));
    }
    return context;
  }

  static long createDecompressor() {
    long context = CFunction.call(CREATE_DECOMPRESSOR);
    if (context == 0) {
      throw new IllegalStateException(
          "zstd makes no decompressor: context=0; give the process more memory");
    }
    return context;
  }

  static void freeCompressor(long context) {
    CFunction.call(FREE_COMPRESSOR, context);
  }

  static void freeDecompressor(long context) {
    CFunction.call(FREE_DECOMPRESSOR, context);
  }

  /**
   * Bytes written; negative, as all errors of zstd are (ZSTD_isError), if that fails.
   *
   * @param held has the source
   * @param heldTarget has the target
   */
  static long compress(
      long context,
      long target,
      int targetBytes,
      long source,
      int sourceBytes,
      MemorySegment held,
      MemorySegment heldTarget) {
    try {
      return (long)
          COMPRESS.invokeExact(
              context,
              target,
              (long) targetBytes,
              source,
              (long) sourceBytes,
              0L,
              held,
              heldTarget);
    } catch (Throwable e) {
      throw CFunction.failed(e);
    }
  }

  /** Bytes written, or a negative number. */
  static long decompress(
      long context,
      long target,
      int targetBytes,
      long source,
      int sourceBytes,
      MemorySegment held,
      MemorySegment heldTarget) {
    try {
      return (long)
          DECOMPRESS.invokeExact(
              context,
              target,
              (long) targetBytes,
              source,
              (long) sourceBytes,
              0L,
              held,
              heldTarget);
    } catch (Throwable e) {
      throw CFunction.failed(e);
    }
  }

  /** Length of the first frame, or a negative number. */
  static long frameBytes(long source, int bytes, MemorySegment held) {
    try {
      return (long)
          FRAME_BYTES.invokeExact(source, (long) bytes, 0L, 0L, 0L, 0L, held, MemorySegment.NULL);
    } catch (Throwable e) {
      throw CFunction.failed(e);
    }
  }
}
