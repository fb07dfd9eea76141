package io.linerate.driver.pcap;

import io.linerate.core.driver.Errno;
import io.linerate.core.driver.SystemCalls;
import io.linerate.core.port.PortException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Keeps a file that is written from being read or written by another port, of this process or
 * another, under whatever name: replacing a file that is mapped destroys it and takes the pages
 * away under its reader. It is flock(2), which all parts of Linerate respect and nobody else must.
 */
final class WriteLock implements AutoCloseable {
  private static final int NONE = -1;

  private final SystemCalls calls = new SystemCalls();
  private final int descriptor;

  private WriteLock(Path file) {
    // A file that may be written and not read cannot be a port's either.
    descriptor =
        Files.isRegularFile(file) ? calls.open(file.toString(), SystemCalls.O_RDONLY) : NONE;
  }

  /**
   * Locks a file that exists; devices and pipes, which have no content to lose, are not locked.
   *
   * @throws PortException if it is in use
   */
  static WriteLock of(Path file) {
    WriteLock lock = new WriteLock(file);
    if (lock.isRefused()) {
      lock.close();
      throw new PortException(
          "cannot write the capture file: file="
              + file
              + ", reason=a port reads or writes it; name another file");
    }
    return lock;
  }

  /** Other errors: the file system knows no locks. */
  private boolean isRefused() {
    int exclusive = SystemCalls.LOCK_EXCLUSIVE | SystemCalls.LOCK_NON_BLOCKING;
    return descriptor >= 0 && calls.flock(descriptor, exclusive) == -Errno.EAGAIN;
  }

  @Override
  public void close() {
    if (descriptor >= 0) {
      int _ = calls.close(descriptor);
    }
  }
}
