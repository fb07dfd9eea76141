package io.linerate.core.driver;

import io.linerate.core.config.ConfigException;

/**
 * Native memory full of zeroes, straight from the kernel, in huge pages where it has such. {@link
 * java.lang.foreign.Arena#allocate} writes the zeroes itself, eight at a time: for the pools of a
 * program that has just started, before any of that is compiled, some ms a MiB.
 */
public final class ZeroedMemory implements AutoCloseable {
  private final SystemCalls calls = new SystemCalls();
  private final long address;
  private final long lengthBytes;

  /**
   * Takes memory, which begins at a page.
   *
   * @param isPresent whether all of it is there from the beginning, so that no packet waits for the
   *     kernel to bring a page; else each page comes when it is touched first
   * @throws ConfigException if the kernel does not give it
   */
  public ZeroedMemory(long bytes, boolean isPresent) {
    lengthBytes = bytes;
    int flags = SystemCalls.MAP_PRIVATE | SystemCalls.MAP_ANONYMOUS;
    address = calls.mmap(bytes, SystemCalls.PROT_READ_WRITE, flags, -1, 0);
    if (address < 0) {
      throw refused("mmap", address);
    }
    if (isPresent) {
      int _ = calls.preferHugePages(address, bytes);
      int returned = calls.populate(address, bytes);
      if (returned < 0 && returned != -Errno.EINVAL) {
        close();
        throw refused("madvise", returned);
      }
    }
  }

  private ConfigException refused(String call, long error) {
    return new ConfigException(
        "no memory for packets: bytes=%d, %s=%s; use fewer or smaller buffers, or see ulimit -v"
            .formatted(lengthBytes, call, Errno.text(error)));
  }

  public long address() {
    return address;
  }

  /** Gives it back. Nobody may touch it afterwards. */
  @Override
  public void close() {
    int _ = calls.munmap(address, lengthBytes);
  }
}
