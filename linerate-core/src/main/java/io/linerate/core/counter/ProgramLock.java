package io.linerate.core.counter;

import io.linerate.core.driver.Errno;
import io.linerate.core.driver.SystemCalls;
import java.io.IOException;
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
  private static final int LOCK_UN = 8; // sys/file.h

  /** So long a program may take from making a file to locking it. */
  private static final long BEGIN_MS = 10_000;

  private static final Pattern NAME = Pattern.compile("[0-9]+[-.]");

  private final SystemCalls calls;
  private final Path file;
  private final int descriptor;
  private boolean isClosed;

  private ProgramLock(SystemCalls calls, Path file, int descriptor) {
    this.calls = calls;
    this.file = file;
    this.descriptor = descriptor;
  }

  /** Opens a file, without locking it. */
  public static ProgramLock open(Path file) throws IOException {
    SystemCalls calls = new SystemCalls();
    int flags = SystemCalls.O_RDONLY | SystemCalls.O_NONBLOCK | SystemCalls.O_NOFOLLOW;
    int descriptor = calls.open(file.toString(), flags);
    if (descriptor < 0) {
      throw failure("open", file, descriptor);
    }
    return new ProgramLock(calls, file, descriptor);
  }

  /** Opens a file and locks it, until this is closed or the process ends. */
  public static ProgramLock take(Path file) throws IOException {
    ProgramLock lock = open(file);
    int result = -Errno.EINTR;
    while (result == -Errno.EINTR) { // Others hold it for a moment, to see whether it is held.
      result = lock.flock(SystemCalls.LOCK_EXCLUSIVE);
    }
    if (result < 0) {
      lock.close();
      throw failure("flock", file, result);
    }
    return lock;
  }

  /** Whether a program has locked a file. */
  static boolean isHeld(Path file) throws IOException {
    try (ProgramLock lock = open(file)) {
      return lock.isHeld();
    }
  }

  /** Whether a program has locked the file by another opening of it. */
  public boolean isHeld() throws IOException {
    int result = flock(SystemCalls.LOCK_SHARED | SystemCalls.LOCK_NON_BLOCKING);
    if (result < 0 && result != -Errno.EAGAIN) {
      throw failure("flock", file, result);
    }
    if (result == 0) {
      flock(LOCK_UN);
    }
    return result < 0;
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

  private int flock(int operation) {
    if (isClosed) {
      throw new IllegalStateException("file is closed: file=" + file);
    }
    return calls.flock(descriptor, operation);
  }

  private static IOException failure(String function, Path file, int result) {
    return new IOException(
        "%s failed: file=%s, errno=%s".formatted(function, file, Errno.text(result)));
  }

  /** Lets go of the file. */
  @Override
  public void close() {
    if (!isClosed) {
      isClosed = true;
      int _ = calls.close(descriptor);
    }
  }
}
