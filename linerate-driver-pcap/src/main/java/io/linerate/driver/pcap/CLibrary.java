package io.linerate.driver.pcap;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.file.Path;

/**
 * What this driver needs of the C library. The functions return what C returns, and {@code -errno}
 * where that is an error.
 *
 * <p>{@link java.nio.channels.FileChannel#map} is not enough: it makes a private map only of files
 * that may be written, and captures are often read-only.
 */
final class CLibrary {
  /** Somebody else holds the lock. */
  static final int EWOULDBLOCK = 11;

  private static final int O_RDONLY = 0;
  private static final int O_CLOEXEC = 0x80000;
  private static final int SEEK_END = 2;
  private static final int PROT_READ_WRITE = 1 | 2;
  private static final int MAP_PRIVATE = 2;

  /** Without it the kernel refuses to map a file that is larger than memory and swap. */
  private static final int MAP_NORESERVE = 0x4000;

  private static final int MADV_DONTNEED = 4;
  private static final int LOCK_SHARED = 1;
  private static final int LOCK_EXCLUSIVE = 2;
  private static final int LOCK_NON_BLOCKING = 4;

  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
  private static final AddressLayout POINTER = ValueLayout.ADDRESS;
  private static final Linker LINKER = Linker.nativeLinker();

  private static final MethodHandle OPEN =
      bind("open", FunctionDescriptor.of(INT, POINTER, INT), Linker.Option.firstVariadicArg(2));
  private static final MethodHandle LSEEK =
      bind("lseek", FunctionDescriptor.of(LONG, INT, LONG, INT));
  private static final MethodHandle MMAP =
      bind("mmap", FunctionDescriptor.of(LONG, LONG, LONG, INT, INT, INT, LONG));
  private static final MethodHandle MUNMAP = bind("munmap", FunctionDescriptor.of(INT, LONG, LONG));
  private static final FunctionDescriptor MADVISE_SIGNATURE =
      FunctionDescriptor.of(INT, LONG, LONG, INT);
  private static final MethodHandle MADVISE = bind("madvise", MADVISE_SIGNATURE);

  /** Without errno: until it is compiled, a call with errno makes an object. */
  private static final MethodHandle PLAIN_MADVISE = bindPlain("madvise", MADVISE_SIGNATURE);

  private static final MethodHandle CLOSE = bind("close", FunctionDescriptor.of(INT, INT));
  private static final MethodHandle FLOCK = bind("flock", FunctionDescriptor.of(INT, INT, INT));
  private static final MethodHandle STRERROR =
      bind("strerror", FunctionDescriptor.of(POINTER, INT));
  private static final VarHandle ERRNO =
      Linker.Option.captureStateLayout().varHandle(MemoryLayout.PathElement.groupElement("errno"));

  /** Where calls leave errno: one for each user, so that no call makes an object. */
  private final MemorySegment state = Arena.ofAuto().allocate(Linker.Option.captureStateLayout());

  /** A file descriptor for reading. */
  int open(Path path) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment name = arena.allocateFrom(path.toString());
      return (int) result((int) OPEN.invokeExact(state, name, O_RDONLY | O_CLOEXEC));
    } catch (Throwable e) {
      throw failed("open", e);
    }
  }

  long sizeBytes(int descriptor) {
    try {
      return result((long) LSEEK.invokeExact(state, descriptor, 0L, SEEK_END));
    } catch (Throwable e) {
      throw failed("lseek", e);
    }
  }

  /** Address of a map of the whole file whose changes stay in this process. */
  long mapPrivate(int descriptor, long sizeBytes) {
    int flags = MAP_PRIVATE | MAP_NORESERVE;
    try {
      return result(
          (long) MMAP.invokeExact(state, 0L, sizeBytes, PROT_READ_WRITE, flags, descriptor, 0L));
    } catch (Throwable e) {
      throw failed("mmap", e);
    }
  }

  int unmap(long address, long sizeBytes) {
    try {
      return (int) result((int) MUNMAP.invokeExact(state, address, sizeBytes));
    } catch (Throwable e) {
      throw failed("munmap", e);
    }
  }

  /** Takes changes of a private map back: its pages are the file's again. */
  int discard(long address, long sizeBytes) {
    try {
      if ((int) PLAIN_MADVISE.invokeExact(address, sizeBytes, MADV_DONTNEED) == 0) {
        return 0;
      }
      return (int) result((int) MADVISE.invokeExact(state, address, sizeBytes, MADV_DONTNEED));
    } catch (Throwable e) {
      throw failed("madvise", e);
    }
  }

  /**
   * Takes the file's lock without waiting, for as long as the descriptor is open.
   *
   * @return {@code -EWOULDBLOCK} if another descriptor, of any process, holds one that excludes it
   */
  int lock(int descriptor, boolean exclusive) {
    int operation = (exclusive ? LOCK_EXCLUSIVE : LOCK_SHARED) | LOCK_NON_BLOCKING;
    try {
      return (int) result((int) FLOCK.invokeExact(state, descriptor, operation));
    } catch (Throwable e) {
      throw failed("flock", e);
    }
  }

  void close(int descriptor) {
    try {
      int _ = (int) CLOSE.invokeExact(state, descriptor);
    } catch (Throwable e) {
      throw failed("close", e);
    }
  }

  /** The text of a negative result, such as {@code ENOMEM}'s, with its number. */
  @SuppressWarnings("restricted")
  String error(long negative) {
    try {
      MemorySegment text = (MemorySegment) STRERROR.invokeExact(state, (int) -negative);
      return text.reinterpret(256).getString(0) + " (errno " + -negative + ")";
    } catch (Throwable e) {
      throw failed("strerror", e);
    }
  }

  private long result(long value) {
    return value == -1 ? -(int) ERRNO.get(state, 0L) : value;
  }

  private static AssertionError failed(String name, Throwable cause) {
    return new AssertionError("a call of the C library failed: function=" + name, cause);
  }

  @SuppressWarnings("restricted")
  private static MethodHandle bind(
      String name, FunctionDescriptor signature, Linker.Option... options) {
    Linker.Option[] all = new Linker.Option[options.length + 1];
    all[0] = Linker.Option.captureCallState("errno");
    System.arraycopy(options, 0, all, 1, options.length);
    return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), signature, all);
  }

  @SuppressWarnings("restricted")
  private static MethodHandle bindPlain(String name, FunctionDescriptor signature) {
    return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), signature);
  }
}
