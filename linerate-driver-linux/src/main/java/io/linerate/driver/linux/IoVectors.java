package io.linerate.driver.linux;

import io.linerate.core.driver.Mbuf;
import io.linerate.core.driver.NativeMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Pieces of memory that one system call reads or writes, {@code struct iovec} of readv(2). One
 * thread's own.
 *
 * <pre>
 *   0 address | 8 bytes
 * </pre>
 */
public final class IoVectors {
  /** Bytes of one. */
  public static final int BYTES = 16;

  private final int capacity;

  // Keeps the memory alive as long as this.
  @SuppressWarnings({"unused", "FieldCanBeLocal"})
  private final MemorySegment memory;

  private final long address;

  public IoVectors(int capacity) {
    this.capacity = capacity;
    memory = Arena.ofAuto().allocate((long) capacity * BYTES, 8);
    address = memory.address();
  }

  /** Pieces at most. */
  public int capacity() {
    return capacity;
  }

  /** Address of the piece of number {@code index}. */
  public long address(int index) {
    return address + (long) index * BYTES;
  }

  /** Says what the piece of number {@code index} is, which is below the capacity. */
  public void set(int index, long pieceAddress, int bytes) {
    NativeMemory.u64(address(index), pieceAddress);
    NativeMemory.u64(address(index) + 8, bytes);
  }

  /** Makes pieces of the segments of a packet; there is room for them. */
  public void setSegments(int index, long mbuf) {
    int at = index;
    for (long segment = mbuf, left = Mbuf.segments(mbuf); left > 0; left--) {
      set(at++, Mbuf.dataAddress(segment), Mbuf.dataLength(segment));
      segment = Mbuf.next(segment);
    }
  }
}
