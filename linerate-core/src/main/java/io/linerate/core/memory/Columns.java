package io.linerate.core.memory;

import static io.linerate.core.memory.NativeMemory.ADDRESS_BITS;
import static io.linerate.core.memory.NativeMemory.ALL;
import static io.linerate.core.memory.NativeMemory.HOST_U64;
import static io.linerate.core.memory.NativeMemory.NET_U64;

/**
 * Reads the same fields of all packets of a burst. No cursor moves, whose stores are a sixth of the
 * instructions of a capture, and each loop is so small that the compiler keeps all of it in
 * registers.
 */
final class Columns {
  private Columns() {}

  /**
   * Reads the length of each packet, eight bytes at {@code offset} and eight at {@code
   * otherOffset}.
   *
   * @param handles address of {@code count} handles
   * @return whether all packets have these bytes in their first segment
   */
  static boolean u64s(
      long handles,
      int count,
      int[] lengthsBytes,
      int offset,
      long[] target,
      int otherOffset,
      long[] otherTarget) {
    long base = handles & ADDRESS_BITS;
    int end = Math.max(offset, otherOffset) + 8;
    for (int i = 0; i < count; i++) {
      long mbuf = ALL.get(HOST_U64, base + 8L * i) & ADDRESS_BITS;
      long lengths = Mbuf.lengths(mbuf);
      if ((char) (lengths >>> 32) < end) {
        return false;
      }
      long data = Mbuf.dataAddress(mbuf) & ADDRESS_BITS;
      lengthsBytes[i] = (int) lengths;
      target[i] = ALL.get(NET_U64, data + offset);
      otherTarget[i] = ALL.get(NET_U64, data + otherOffset);
    }
    return true;
  }
}
