package io.linerate.core.memory;

import static io.linerate.core.driver.NativeMemory.ADDRESS_BITS;
import static io.linerate.core.driver.NativeMemory.ALL;
import static io.linerate.core.driver.NativeMemory.HOST_U64;

import io.linerate.core.driver.Mbuf;
import java.lang.foreign.MemorySegment;

/**
 * Writes the same bytes to all packets of a burst. No cursor moves, and each loop is so small that
 * the compiler keeps all of it in registers.
 */
final class BurstFill {
  private static final int LINE_BYTES = 64;

  private BurstFill() {}

  /**
   * Gives every packet these bytes, if all are empty, of one segment, and have the room.
   *
   * @param handles address of {@code count} handles
   * @return whether they were
   */
  static boolean fill(long handles, int count, MemorySegment source, long sourceOffset, int bytes) {
    long base = handles & ADDRESS_BITS;
    int room = Integer.MAX_VALUE;
    for (int i = 0; i < count; i++) {
      long mbuf = ALL.get(HOST_U64, base + 8L * i) & ADDRESS_BITS;
      if (Mbuf.packetLength(mbuf) != 0 || Mbuf.segments(mbuf) != 1) {
        return false;
      }
      room = Math.min(room, Mbuf.bufferLength(mbuf) - Mbuf.dataOffset(mbuf));
    }
    if (room < bytes) {
      return false;
    }
    boolean isLine = bytes <= LINE_BYTES && room >= LINE_BYTES;
    int copies = isLine ? Math.min(1, count) : count;
    for (int i = 0; i < copies; i++) {
      long mbuf = ALL.get(HOST_U64, base + 8L * i) & ADDRESS_BITS;
      MemorySegment.copy(source, sourceOffset, ALL, Mbuf.dataAddress(mbuf), bytes);
      lengths(mbuf, bytes);
    }
    if (isLine) {
      repeatLine(base, count, bytes);
    }
    return true;
  }

  /**
   * Gives every packet what the first one has, which fits a line of the cache: kept in registers,
   * since to call a function for so little would take longer.
   */
  private static void repeatLine(long base, int count, int bytes) {
    if (count < 2) {
      return;
    }
    long first = Mbuf.dataAddress(ALL.get(HOST_U64, base)) & ADDRESS_BITS;
    long w0 = ALL.get(HOST_U64, first);
    long w1 = ALL.get(HOST_U64, first + 8);
    long w2 = ALL.get(HOST_U64, first + 16);
    long w3 = ALL.get(HOST_U64, first + 24);
    long w4 = ALL.get(HOST_U64, first + 32);
    long w5 = ALL.get(HOST_U64, first + 40);
    long w6 = ALL.get(HOST_U64, first + 48);
    long w7 = ALL.get(HOST_U64, first + 56);
    for (int i = 1; i < count; i++) {
      long mbuf = ALL.get(HOST_U64, base + 8L * i) & ADDRESS_BITS;
      long data = Mbuf.dataAddress(mbuf) & ADDRESS_BITS;
      ALL.set(HOST_U64, data, w0);
      ALL.set(HOST_U64, data + 8, w1);
      ALL.set(HOST_U64, data + 16, w2);
      ALL.set(HOST_U64, data + 24, w3);
      ALL.set(HOST_U64, data + 32, w4);
      ALL.set(HOST_U64, data + 40, w5);
      ALL.set(HOST_U64, data + 48, w6);
      ALL.set(HOST_U64, data + 56, w7);
      lengths(mbuf, bytes);
    }
  }

  private static void lengths(long mbuf, int bytes) {
    Mbuf.packetLength(mbuf, bytes);
    Mbuf.dataLength(mbuf, bytes);
  }
}
