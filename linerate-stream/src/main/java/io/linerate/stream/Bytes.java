package io.linerate.stream;

import io.linerate.core.driver.NativeMemory;
import io.linerate.core.memory.ByteView;
import io.linerate.core.memory.Cursor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;

/**
 * A token that is a range of memory, without a copy: a message that came by a stream, what is to be
 * sent, compressed, encrypted. Integers are in network byte order.
 *
 * <p>It is read while it is handled. Whoever gives such tokens gives the same object again with
 * another range, and ends it between ({@link #end}): who has kept one gets {@link
 * IllegalStateException}, not other bytes. What is to be kept is copied.
 */
public final class Bytes implements ByteView, Cursor {
  private MemorySegment memory = MemorySegment.NULL;
  private long from;
  private int length;
  private boolean isLive;

  /** At nothing, until it is led to something. */
  public Bytes() {}

  /** The whole of a segment. */
  public static Bytes of(MemorySegment segment) {
    Bytes bytes = new Bytes();
    bytes.wrap(segment, 0, Math.toIntExact(segment.byteSize()));
    return bytes;
  }

  /**
   * Is at a range from now on.
   *
   * @throws IndexOutOfBoundsException if the segment has not these bytes
   */
  public void wrap(MemorySegment segment, long offset, int bytes) {
    Objects.checkFromIndexSize(offset, bytes, segment.byteSize());
    memory = segment;
    from = offset;
    length = bytes;
    isLive = true;
  }

  /** Is at nothing from now on. */
  public void end() {
    isLive = false;
    length = 0;
  }

  /** Whether it can be read. */
  public boolean isLive() {
    return isLive;
  }

  private void require() {
    if (!isLive) {
      throw new IllegalStateException(
          "bytes are gone: they can be read until what was given them returns; copy what is to be kept");
    }
  }

  @Override
  public int length() {
    return length;
  }

  /**
   * The memory that the range is in, from {@link #offset} on: for calls that take it, to be kept no
   * longer than this. What else is in it is not this token's.
   */
  public MemorySegment segment() {
    require();
    return memory;
  }

  /** Where in {@link #segment} the range begins. */
  public long offset() {
    require();
    return from;
  }

  private long at(int offset, int bytes) {
    require();
    return from + Objects.checkFromIndexSize(offset, bytes, length);
  }

  @Override
  public int u8(int offset) {
    return Byte.toUnsignedInt(memory.get(NativeMemory.U8, at(offset, Byte.BYTES)));
  }

  @Override
  public int u16(int offset) {
    return memory.get(NativeMemory.NET_U16, at(offset, Short.BYTES));
  }

  @Override
  public int i32(int offset) {
    return memory.get(NativeMemory.NET_U32, at(offset, Integer.BYTES));
  }

  @Override
  public long u64(int offset) {
    return memory.get(NativeMemory.NET_U64, at(offset, Long.BYTES));
  }

  @Override
  public void get(int offset, byte[] target, int targetIndex, int count) {
    MemorySegment.copy(
        memory, ValueLayout.JAVA_BYTE, at(offset, count), target, targetIndex, count);
  }

  /** Copies {@code count} of them into {@code target}. */
  public void get(int offset, MemorySegment target, long targetOffset, int count) {
    MemorySegment.copy(memory, at(offset, count), target, targetOffset, count);
  }

  /** A copy of all, on the heap. */
  public byte[] toBytes() {
    byte[] copy = new byte[length];
    get(0, copy, 0, length);
    return copy;
  }

  @Override
  public String toString() {
    return isLive ? "Bytes[length=" + length + "]" : "Bytes[gone]";
  }
}
