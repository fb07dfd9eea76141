package io.linerate.stream.net;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Bytes of a stream from one offset on, as many as it has room for, in native memory. */
final class Ring {
  private final MemorySegment memory;
  private final long mask;

  /**
   * @param bytes a power of two
   */
  Ring(long bytes) {
    memory = Arena.ofAuto().allocate(bytes, Long.BYTES);
    mask = bytes - 1;
  }

  long capacity() {
    return mask + 1;
  }

  MemorySegment memory() {
    return memory;
  }

  /** Where an offset of the stream is in {@link #memory}. */
  long at(long offset) {
    return offset & mask;
  }

  /** Whether so many bytes from an offset on lie behind each other. */
  boolean isWhole(long offset, int bytes) {
    return at(offset) + bytes <= capacity();
  }

  void put(long offset, MemorySegment source, long sourceAt, int bytes) {
    int first = (int) Math.min(bytes, capacity() - at(offset));
    MemorySegment.copy(source, sourceAt, memory, at(offset), first);
    if (first < bytes) {
      MemorySegment.copy(source, sourceAt + first, memory, 0, bytes - first);
    }
  }

  void get(long offset, MemorySegment target, long targetAt, int bytes) {
    int first = (int) Math.min(bytes, capacity() - at(offset));
    MemorySegment.copy(memory, at(offset), target, targetAt, first);
    if (first < bytes) {
      MemorySegment.copy(memory, 0, target, targetAt + first, bytes - first);
    }
  }

  /** Four bytes as they are. */
  int i32(long offset) {
    if (isWhole(offset, Integer.BYTES)) {
      return memory.get(Datagram.U32, at(offset));
    }
    int value = 0;
    for (int i = 0; i < Integer.BYTES; i++) {
      value = value << Byte.SIZE | Byte.toUnsignedInt(memory.get(Datagram.U8, at(offset + i)));
    }
    return value;
  }

  void i32(long offset, int value) {
    if (isWhole(offset, Integer.BYTES)) {
      memory.set(Datagram.U32, at(offset), value);
      return;
    }
    for (int i = 0; i < Integer.BYTES; i++) {
      memory.set(
          Datagram.U8, at(offset + i), (byte) (value >>> (Integer.SIZE - Byte.SIZE * (i + 1))));
    }
  }
}
