package io.linerate.driver.pcap;

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

  private final CLibrary library;
  private final int descriptor;

  private WriteLock(CLibrary library, int descriptor) {
    this.library = library;
    this.descriptor = descriptor;
  }

  /**
   * Locks a file that exists; devices and pipes, which have no content to lose, are not locked.
   *
   * @throws PortException if it is in use
   */
  static WriteLock of(Path file) {
    CLibrary library = new CLibrary();
    // A file that may be written and not read cannot be a port's either.
    int descriptor = Files.isRegularFile(file) ? library.open(file) : NONE;
    WriteLock lock = new WriteLock(library, descriptor);
    // Other errors: the file system knows no locks.
    if (descriptor >= 0 && library.lock(descriptor, true) == -CLibrary.EWOULDBLOCK) {
      lock.close();
      throw new PortException(
          "cannot write the capture file: file="
              + file
              + ", reason=a port reads or writes it; name another file");
    }
    return lock;
  }

  @Override
  public void close() {
    if (descriptor >= 0) {
      library.close(descriptor);
    }
  }
}
