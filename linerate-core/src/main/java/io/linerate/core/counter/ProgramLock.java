package io.linerate.core.counter;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * Tells whether the program that made a file still runs: it holds a lock on the file, flock(2),
 * until it ends. The kernel lets go of the lock however the process ends, and keeps it for one that
 * is stopped. It is seen wherever the file is, also from another PID namespace, where the number of
 * the process means another one or none. The locks of {@code java.nio} would not do: a process
 * loses those as soon as it closes the file anywhere.
 */
public final class ProgramLock implements AutoCloseable {
  // fcntl.h, sys/file.h, errno.h
  private static final int O_RDONLY = 0;
  private static final int O_NONBLOCK = 0x800;
  private static final int O_NOFOLLOW = 0x2_0000;
  private static final int O_CLOEXEC = 0x8_0000;
  private static final int LOCK_SH = 1;
  private static final int LOCK_EX = 2;
  private static final int LOCK_NB = 4;
  private static final int LOCK_UN = 8;
  private static final int EINTR = 4;
  private static final int EWOULDBLOCK = 11;

  private static final VarHandle ERRNO =
      Linker.Option.captureStateLayout().varHandle(MemoryLayout.PathElement.groupElement("errno"));
  private static final MethodHandle OPEN = bind("open", ValueLayout.ADDRESS, ValueLayout.JAVA_INT);
  private static final MethodHandle FLOCK =
      bind("flock", ValueLayout.JAVA_INT, ValueLayout.JAVA_INT);
  private static final MethodHandle CLOSE = bind("close", ValueLayout.JAVA_INT);

  /** So long a program may take from making a file to locking it. */
  private static final long BEGIN_MS = 10_000;

  private static final Pattern NAME = Pattern.compile("[0-9]+[-.]");

  private final Path file;
  private final int descriptor;
  private boolean isClosed;

  private ProgramLock(Path file, int descriptor) {
    this.file = file;
    this.descriptor = descriptor;
  }

  /** Opens a file, without locking it. */
  public static ProgramLock open(Path file) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(Linker.Option.captureStateLayout());
      MemorySegment path = arena.allocateFrom(file.toString());
      int descriptor =
          (int) OPEN.invokeExact(state, path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
      if (descriptor >= 0) {
        return new ProgramLock(file, descriptor);
      }
      throw failure("open", file, (int) ERRNO.get(state, 0L));
    } catch (IOException e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError("a call of the C library failed: function=open", e);
    }
  }

  /** Opens a file and locks it, until this is closed or the process ends. */
  public static ProgramLock take(Path file) throws IOException {
    ProgramLock lock = open(file);
    int errno = EINTR;
    while (errno == EINTR) { // Others hold it for a moment, to see whether it is held.
      errno = lock.flock(LOCK_EX);
    }
    if (errno != 0) {
      lock.close();
      throw failure("flock", file, errno);
    }
    return lock;
  }

  /** Whether a program has locked the file by another opening of it. */
  public boolean isHeld() throws IOException {
    int errno = flock(LOCK_SH | LOCK_NB);
    if (errno != 0 && errno != EWOULDBLOCK) {
      throw failure("flock", file, errno);
    }
    if (errno == 0) {
      flock(LOCK_UN);
    }
    return errno != 0;
  }

  /**
   * Removes a file that a program left which has ended; one that is not named by the number of a
   * process is none of ours.
   */
  public static void removeLeftover(Path file) {
    if (!NAME.matcher(file.getFileName().toString()).lookingAt()) {
      return;
    }
    try (ProgramLock lock = open(file)) {
      long sinceMs = Files.getLastModifiedTime(file).toMillis();
      if (!lock.isHeld() && System.currentTimeMillis() - sinceMs > BEGIN_MS) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      // Removed by another just now.
    }
  }

  /** 0, or errno. */
  private int flock(int operation) {
    if (isClosed) {
      throw new IllegalStateException("file is closed: file=" + file);
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(Linker.Option.captureStateLayout());
      int result = (int) FLOCK.invokeExact(state, descriptor, operation);
      return result == 0 ? 0 : (int) ERRNO.get(state, 0L);
    } catch (Throwable e) {
      throw new AssertionError("a call of the C library failed: function=flock", e);
    }
  }

  private static IOException failure(String function, Path file, int errno) {
    return new IOException(
        "%s failed: file=%s, errno=%d; see errno(3)".formatted(function, file, errno));
  }

  /** Lets go of the file. */
  @Override
  public void close() {
    if (isClosed) {
      return;
    }
    isClosed = true;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(Linker.Option.captureStateLayout());
      int _ = (int) CLOSE.invokeExact(state, descriptor);
    } catch (Throwable e) {
      throw new AssertionError("a call of the C library failed: function=close", e);
    }
  }

  @SuppressWarnings("restricted")
  private static MethodHandle bind(String name, MemoryLayout... arguments) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(
        linker.defaultLookup().findOrThrow(name),
        FunctionDescriptor.of(ValueLayout.JAVA_INT, arguments),
        Linker.Option.firstVariadicArg(arguments.length), // open has more where it makes a file.
        Linker.Option.captureCallState("errno"));
  }
}
