package io.linerate.bench.access;

import io.linerate.core.memory.Mbuf;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Linerate's cursor without its checks, of length, of range and of whether the packet is still
 * there: what they cost is the difference. It exists here only; a wrong offset ends the JVM.
 */
final class UncheckedPacket {
  private static final MemorySegment ALL = all();
  private static final long ADDRESS_BITS = (1L << 56) - 1;
  private static final ValueLayout.OfByte U8 = ValueLayout.JAVA_BYTE;
  private static final ValueLayout.OfChar U16 =
      ValueLayout.JAVA_CHAR_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfInt U32 =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  private long address;

  @SuppressWarnings("restricted")
  private static MemorySegment all() {
    return MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
  }

  void attach(long mbuf) {
    address = Mbuf.dataAddress(mbuf);
  }

  int u8(int offset) {
    return ALL.get(U8, (address & ADDRESS_BITS) + offset) & 0xFF;
  }

  void u8(int offset, int value) {
    ALL.set(U8, (address & ADDRESS_BITS) + offset, (byte) value);
  }

  int u16(int offset) {
    return ALL.get(U16, (address & ADDRESS_BITS) + offset);
  }

  void u16(int offset, int value) {
    ALL.set(U16, (address & ADDRESS_BITS) + offset, (char) value);
  }

  int i32(int offset) {
    return ALL.get(U32, (address & ADDRESS_BITS) + offset);
  }

  void i32(int offset, int value) {
    ALL.set(U32, (address & ADDRESS_BITS) + offset, value);
  }
}
