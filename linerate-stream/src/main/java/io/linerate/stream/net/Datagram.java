package io.linerate.stream.net;

import io.linerate.core.driver.NativeMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;

/**
 * The payload of a packet of UDP in native memory, to be read and written: integers are in network
 * order. Used again and again.
 */
final class Datagram {
  static final ValueLayout.OfByte U8 = NativeMemory.U8;
  static final ValueLayout.OfInt U32 = NativeMemory.NET_U32;
  static final ValueLayout.OfLong U64 = NativeMemory.NET_U64;

  /** The longest payload of UDP. */
  static final int MOST_BYTES = 65_507;

  private final MemorySegment memory = Arena.ofAuto().allocate(1 << 16, Long.BYTES);
  private final ByteBuffer buffer = memory.asByteBuffer();
  private int length;

  MemorySegment memory() {
    return memory;
  }

  /** Bytes from one offset on, below another: a view that is valid until the next call. */
  ByteBuffer buffer(int from, int to) {
    return buffer.limit(to).position(from);
  }

  int length() {
    return length;
  }

  void length(int bytes) {
    length = bytes;
  }

  int u8(int at) {
    return Byte.toUnsignedInt(memory.get(U8, at));
  }

  void u8(int at, int value) {
    memory.set(U8, at, (byte) value);
  }

  int u16(int at) {
    return memory.get(NativeMemory.NET_U16, at);
  }

  void u16(int at, int value) {
    memory.set(NativeMemory.NET_U16, at, (char) value);
  }

  int i32(int at) {
    return memory.get(U32, at);
  }

  void i32(int at, int value) {
    memory.set(U32, at, value);
  }

  long u32(int at) {
    return Integer.toUnsignedLong(i32(at));
  }

  long u64(int at) {
    return memory.get(U64, at);
  }

  void u64(int at, long value) {
    memory.set(U64, at, value);
  }

  /** Whether it is of the version that is spoken here, and long enough to say for whom it is. */
  boolean isSound() {
    return length >= Wire.ID_AT + Long.BYTES && u8(0) >>> 4 == Wire.VERSION;
  }

  /** Its kind. */
  int kind() {
    return u8(0) & 15;
  }

  byte[] get(int at, int bytes) {
    byte[] copy = new byte[bytes];
    MemorySegment.copy(memory, U8, at, copy, 0, bytes);
    return copy;
  }

  void set(int at, byte[] bytes) {
    MemorySegment.copy(bytes, 0, memory, U8, at, bytes.length);
  }
}
