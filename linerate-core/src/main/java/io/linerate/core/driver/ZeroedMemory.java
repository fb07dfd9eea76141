package io.linerate.core.driver;

import io.linerate.core.config.ConfigException;

/**
 * Native memory full of zeroes, straight from the kernel, which brings each page when it is touched
 * first. {@link java.lang.foreign.Arena#allocate} writes the zeroes itself, eight at a time: for
 * the pools of a program that has just started, before any of that is compiled, some ms a MiB.
 */
final class ZeroedMemory implements AutoCloseable {
  private static final int PAGE_BYTES = 4_096;

  private final SystemCalls calls = new SystemCalls();
  private final long start;
  private final long lengthBytes;
  private final long address;

  /**
   * Takes memory.
   *
   * @param alignmentBytes of the first byte: a power of two
   * @throws ConfigException if the kernel does not give it
   */
  ZeroedMemory(long bytes, int alignmentBytes) {
    lengthBytes = bytes + Math.max(0, alignmentBytes - PAGE_BYTES);
    int flags = SystemCalls.MAP_PRIVATE | SystemCalls.MAP_ANONYMOUS;
    start = calls.mmap(lengthBytes, SystemCalls.PROT_READ_WRITE, flags, -1, 0);
    if (start < 0) {
      throw new ConfigException(
          "no memory for packets: bytes=%d, mmap=%s; use fewer or smaller buffers, or see ulimit -v"
              .formatted(lengthBytes, Errno.text(start)));
    }
    address = (start + alignmentBytes - 1) & -alignmentBytes;
  }

  long address() {
    return address;
  }

  /** Gives it back. Nobody may touch it afterwards. */
  @Override
  public void close() {
    int _ = calls.munmap(start, lengthBytes);
  }
}
