package io.linerate.stream.codec;

import io.linerate.core.driver.CFunction;
import io.linerate.core.driver.NativeMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.ref.Reference;

/**
 * The functions of zlib, from 1.2.2 on, of raw deflate streams, and its {@code z_stream}. No call
 * is {@code critical}: any may take long.
 *
 * <pre>
 *  0         8          16         24         32          40          48   56     64      72     80      88         96     104
 * | next_in | avail_in | total_in | next_out | avail_out | total_out | msg| state| zalloc| zfree| opaque| data_type| adler|
 * </pre>
 */
final class Zlib {
  static final NativeLibrary LIBRARY = NativeLibrary.load("zlib", "libz.so.1", "the JDK's");

  /** Of a {@code z_stream}. */
  static final int STREAM_BYTES = 112;

  /** Z_STREAM_END. */
  static final int END = 1;

  private static final int NEXT_IN = 0;
  private static final int AVAILABLE_IN = 8;
  private static final int NEXT_OUT = 24;
  private static final int AVAILABLE_OUT = 32;

  private static final long FINISH = 4;
  private static final long DEFLATED = 8;

  /** The whole window, and no header. */
  private static final long RAW = -15;

  private static final long MEMORY_LEVEL = 8;
  private static final MemorySegment VERSION = Arena.global().allocateFrom("1.2.2");

  private static final MethodHandle BEGIN_DEFLATE = LIBRARY.holdingFunction("deflateInit2_");
  private static final MethodHandle RESET_DEFLATE = LIBRARY.function("deflateReset");
  private static final MethodHandle DEFLATE = LIBRARY.holdingFunction("deflate");
  private static final MethodHandle END_DEFLATE = LIBRARY.function("deflateEnd");
  private static final MethodHandle BEGIN_INFLATE = LIBRARY.function("inflateInit2_");
  private static final MethodHandle RESET_INFLATE = LIBRARY.function("inflateReset");
  private static final MethodHandle INFLATE = LIBRARY.holdingFunction("inflate");
  private static final MethodHandle END_INFLATE = LIBRARY.function("inflateEnd");

  private Zlib() {}

  static void beginDeflate(MemorySegment stream, int level) {
    try {
      // The eighth argument is a number, which is passed as an address is.
      long result =
          (long)
              BEGIN_DEFLATE.invokeExact(
                  stream.address(),
                  (long) level,
                  DEFLATED,
                  RAW,
                  MEMORY_LEVEL,
                  0L,
                  VERSION,
                  MemorySegment.ofAddress(STREAM_BYTES));
      require("deflateInit2", (int) result);
    } catch (Throwable e) {
      throw CFunction.failed(e);
    }
  }

  static void beginInflate(MemorySegment stream) {
    long result =
        CFunction.call(BEGIN_INFLATE, stream.address(), RAW, VERSION.address(), STREAM_BYTES);
    require("inflateInit2", (int) result);
  }

  private static void require(String function, int result) {
    if (result != 0) {
      throw new IllegalStateException(
          "zlib does not begin: function=%s, result=%d; give the process more memory"
              .formatted(function, result));
    }
  }

  static void endDeflate(MemorySegment stream) {
    end(END_DEFLATE, stream);
  }

  static void endInflate(MemorySegment stream) {
    end(END_INFLATE, stream);
  }

  private static void end(MethodHandle function, MemorySegment stream) {
    try {
      CFunction.call(function, stream.address());
    } finally {
      Reference.reachabilityFence(stream); // Nobody may have it any more.
    }
  }

  /** Says what the next call works on. */
  static void give(MemorySegment stream, long from, int fromBytes, long to, int toBytes) {
    stream.set(NativeMemory.HOST_U64, NEXT_IN, from);
    stream.set(NativeMemory.HOST_U32, AVAILABLE_IN, fromBytes);
    stream.set(NativeMemory.HOST_U64, NEXT_OUT, to);
    stream.set(NativeMemory.HOST_U32, AVAILABLE_OUT, toBytes);
  }

  /** Bytes that were not read. */
  static int left(MemorySegment stream) {
    return stream.get(NativeMemory.HOST_U32, AVAILABLE_IN);
  }

  /** Bytes that were not written. */
  static int room(MemorySegment stream) {
    return stream.get(NativeMemory.HOST_U32, AVAILABLE_OUT);
  }

  /**
   * Compresses what was given, as a whole.
   *
   * @param held has the source
   * @param heldTarget has the target
   * @return {@link #END} if it had room
   */
  static int deflate(MemorySegment stream, MemorySegment held, MemorySegment heldTarget) {
    return run(RESET_DEFLATE, DEFLATE, stream, held, heldTarget);
  }

  /** Goes on where there was no room, to find out whether anything is left. */
  static int deflateMore(MemorySegment stream) {
    try {
      return (int)
          (long)
              DEFLATE.invokeExact(
                  stream.address(), FINISH, 0L, 0L, 0L, 0L, MemorySegment.NULL, MemorySegment.NULL);
    } catch (Throwable e) {
      throw CFunction.failed(e);
    }
  }

  /** As {@link #deflate}, the other way: {@link #END} at the end of a sound stream. */
  static int inflate(MemorySegment stream, MemorySegment held, MemorySegment heldTarget) {
    return run(RESET_INFLATE, INFLATE, stream, held, heldTarget);
  }

  private static int run(
      MethodHandle reset,
      MethodHandle work,
      MemorySegment stream,
      MemorySegment held,
      MemorySegment heldTarget) {
    try {
      long address = stream.address();
      int result = (int) (long) reset.invokeExact(address, 0L, 0L, 0L, 0L, 0L);
      return result != 0
          ? result
          : (int) (long) work.invokeExact(address, FINISH, 0L, 0L, 0L, 0L, held, heldTarget);
    } catch (Throwable e) {
      throw CFunction.failed(e);
    }
  }
}
