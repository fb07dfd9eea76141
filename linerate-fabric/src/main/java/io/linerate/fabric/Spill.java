package io.linerate.fabric;

import io.linerate.core.driver.CFunction;
import io.linerate.core.driver.SystemCalls;
import java.lang.foreign.Linker;

/**
 * Where the rest of a message goes that is longer than the memory that was posted for it: behind
 * that memory, for providers that do not end such a message. shm copies a message of more than 4
 * KiB in an endless loop then, rxm ends one of more than 16 KiB never where the memory has no byte,
 * and rxd cuts it without a word.
 *
 * <p>It is address space: pages come when a message is too long, and go when that was told.
 *
 * @param address of the first byte
 * @param bytes as many as a message may have
 */
record Spill(long address, long bytes) {
  static final long MOST_BYTES = 1L << 36;
  private static final long LEAST_BYTES = 1L << 26;
  private static final int MADV_DONTNEED = 4;

  /** One that takes the longest message that this host has address space for. */
  static Spill open() {
    long bytes = MOST_BYTES;
    while (true) {
      long address =
          new SystemCalls()
              .mmap(
                  bytes,
                  SystemCalls.PROT_READ_WRITE,
                  SystemCalls.MAP_PRIVATE | SystemCalls.MAP_ANONYMOUS | SystemCalls.MAP_NORESERVE,
                  -1,
                  0);
      if (address > 0) {
        return new Spill(address, bytes);
      }
      if (bytes == LEAST_BYTES) {
        throw new FabricException(
            "no address space for messages that are too long: bytes=%d; allow the process more"
                .formatted(bytes));
      }
      bytes /= 2;
    }
  }

  /** Gives its pages back. */
  void clear() {
    CFunction.find(Linker.nativeLinker().defaultLookup(), "madvise")
        .ifPresent(madvise -> CFunction.call(madvise, address, bytes, MADV_DONTNEED));
  }

  void free() {
    new SystemCalls().munmap(address, bytes);
  }
}
