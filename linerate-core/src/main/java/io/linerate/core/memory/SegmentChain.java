package io.linerate.core.memory;

import static io.linerate.core.driver.NativeMemory.ALL;
import static io.linerate.core.driver.NativeMemory.U8;

import io.linerate.core.driver.Mbuf;
import io.linerate.core.driver.SegmentCopy;

/**
 * A packet of several segments as one range. The callers have checked the range against the
 * packet's length.
 *
 * <p>The stack of a handler that recurses without end may end between any two writes here. Their
 * order is such that at each moment the data of a segment lie within its buffer, and the segments
 * have at least as many bytes as the packet claims: what shrinks claims less first, what grows
 * claims more last.
 */
final class SegmentChain {
  private static final int MAX_SEGMENTS = 0xFFFF;

  private SegmentChain() {}

  /** {@code size} bytes as a number in network order. */
  static long get(long mbuf, int offset, int size) {
    long value = 0;
    long segment = mbuf;
    int at = offset;
    for (int i = 0; i < size; i++) {
      while (at >= Mbuf.dataLength(segment)) {
        at -= Mbuf.dataLength(segment);
        segment = SegmentCopy.following(segment);
      }
      value = (value << 8) | (ALL.get(U8, Mbuf.dataAddress(segment) + at) & 0xFF);
      at++;
    }
    return value;
  }

  static void set(long mbuf, int offset, int size, long value) {
    long segment = mbuf;
    int at = offset;
    for (int i = 0; i < size; i++) {
      while (at >= Mbuf.dataLength(segment)) {
        at -= Mbuf.dataLength(segment);
        segment = SegmentCopy.following(segment);
      }
      ALL.set(U8, Mbuf.dataAddress(segment) + at, (byte) (value >>> (8 * (size - 1 - i))));
      at++;
    }
  }

  static long last(long mbuf) {
    long last = mbuf;
    int segments = 1;
    for (long next = Mbuf.next(mbuf); next != 0; next = Mbuf.next(next)) {
      if (++segments > MAX_SEGMENTS) {
        throw SegmentCopy.broken(mbuf);
      }
      last = next;
    }
    return last;
  }

  /** Whether the segments of both packets are of one pool, and not too many for one. */
  static boolean canAppend(long mbuf, long tail) {
    long pool = Mbuf.pool(mbuf);
    long lengthBytes = (long) Mbuf.packetLength(mbuf) + Mbuf.packetLength(tail);
    return Mbuf.segments(mbuf) + Mbuf.segments(tail) <= MAX_SEGMENTS
        && lengthBytes <= Integer.MAX_VALUE
        && isOf(pool, mbuf)
        && isOf(pool, tail);
  }

  /** Appends the segments of one packet to those of another: {@link #canAppend} has allowed it. */
  static void append(long mbuf, long tail) {
    int segments = Mbuf.segments(mbuf) + Mbuf.segments(tail);
    int lengthBytes = Mbuf.packetLength(mbuf) + Mbuf.packetLength(tail);
    Mbuf.next(last(mbuf), tail);
    Mbuf.segments(mbuf, segments);
    Mbuf.packetLength(mbuf, lengthBytes);
  }

  private static boolean isOf(long pool, long mbuf) {
    for (long segment = mbuf; segment != 0; segment = Mbuf.next(segment)) {
      if (Mbuf.pool(segment) != pool) {
        return false;
      }
    }
    return true;
  }

  /**
   * Takes bytes off the front.
   *
   * @return the first segment of what is left: those before it still link to it, until they are
   *     {@link #unlink}ed
   */
  static long shrinkHead(long mbuf, int count) {
    int lengthBytes = Mbuf.packetLength(mbuf);
    int segments = Mbuf.segments(mbuf);
    int left = count;
    long first = mbuf;
    while (left >= Mbuf.dataLength(first) && Mbuf.next(first) != 0) {
      left -= Mbuf.dataLength(first);
      first = Mbuf.next(first);
      segments--;
    }
    if (first != mbuf) {
      Mbuf.packetLength(mbuf, lengthBytes - left);
      Mbuf.copyMetadata(mbuf, first);
      Mbuf.segments(first, segments);
    }
    Mbuf.packetLength(first, lengthBytes - count);
    Mbuf.dataLength(first, Mbuf.dataLength(first) - left);
    Mbuf.dataOffset(first, Mbuf.dataOffset(first) + left);
    return first;
  }

  /** Has the segments of {@code mbuf} end before {@code first}. */
  static void unlink(long mbuf, long first) {
    long before = mbuf;
    while (Mbuf.next(before) != first) {
      before = SegmentCopy.following(before);
    }
    Mbuf.next(before, 0);
  }

  /**
   * Takes bytes off the end.
   *
   * @return the first of the segments that became empty, or 0; they link to each other
   */
  static long shrinkTail(long mbuf, int count) {
    int lengthBytes = Mbuf.packetLength(mbuf) - count;
    int left = lengthBytes;
    int segments = 1;
    long last = mbuf;
    while (left > Mbuf.dataLength(last)) {
      left -= Mbuf.dataLength(last);
      last = SegmentCopy.following(last);
      segments++;
    }
    long cut = Mbuf.next(last);
    Mbuf.packetLength(mbuf, lengthBytes);
    Mbuf.segments(mbuf, segments);
    Mbuf.dataLength(last, left);
    Mbuf.next(last, 0);
    return cut;
  }
}
