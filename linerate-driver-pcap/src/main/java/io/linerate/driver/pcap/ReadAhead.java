package io.linerate.driver.pcap;

import io.linerate.core.driver.MappedFileFault;
import io.linerate.core.driver.NativeMemory;
import java.lang.foreign.MemorySegment;

/**
 * Has the processor fetch a mapped file from memory before it is needed. Where a packet begins is
 * known only when the one before it has been read, so that without this each is waited for: packets
 * of 580 bytes come 1.4 times as fast with it, of 170 bytes 1.2 times.
 */
final class ReadAhead {
  /** Longer than what a processor has on its way, and at home in its second cache. */
  private static final long WINDOW_BYTES = 32 << 10;

  private static final int LINE_BYTES = 64;

  private final long address;
  private long endBytes;
  private long fetchedBytes;

  /** Nobody asks for it, but what reads for it is not left out. */
  @SuppressWarnings("unused")
  private long sum;

  ReadAhead(MemorySegment file) {
    address = file.address();
    endBytes = file.byteSize() & -LINE_BYTES;
  }

  /**
   * Fetches what lies behind an offset. When somebody made the file shorter it is the reader that
   * says so, where it comes to that.
   */
  void from(long offset) {
    try {
      fetch(offset);
      MappedFileFault.settle();
    } catch (InternalError e) {
      endBytes = 0;
    }
  }

  private void fetch(long offset) {
    long end = Math.min((offset & -LINE_BYTES) + WINDOW_BYTES, endBytes);
    long bits = 0;
    for (long at = Math.max(fetchedBytes, offset & -LINE_BYTES); at < end; at += LINE_BYTES) {
      bits += NativeMemory.u64(address + at);
    }
    sum += bits;
    fetchedBytes = Math.max(fetchedBytes, end);
  }

  /** Begins anew. */
  void rewind() {
    fetchedBytes = 0;
  }
}
