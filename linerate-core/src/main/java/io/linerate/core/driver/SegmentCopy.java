package io.linerate.core.driver;

import static io.linerate.core.driver.NativeMemory.ALL;
import static io.linerate.core.driver.NativeMemory.U8;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * Copies the bytes of packets, of any number of segments: to and from memory, and to each other.
 * For drivers only: the functions trust handles and addresses, and that the range is inside of the
 * packet.
 */
public final class SegmentCopy {
  private static final byte[] NO_ARRAY = {};

  private SegmentCopy() {}

  /** Copies {@code count} bytes of a packet, from {@code offset} on, to memory. */
  public static void read(long mbuf, int offset, MemorySegment target, long at, int count) {
    copy(mbuf, offset, target, NO_ARRAY, at, count, true);
  }

  /** As the other, to an array: one wrapped in a segment would be an object for each call. */
  public static void read(long mbuf, int offset, byte[] target, int at, int count) {
    Objects.checkFromIndexSize(at, count, target.length);
    copy(mbuf, offset, ALL, target, at, count, true);
  }

  /** Copies {@code count} bytes of memory into a packet, from {@code offset} on. */
  public static void write(long mbuf, int offset, MemorySegment source, long at, int count) {
    copy(mbuf, offset, source, NO_ARRAY, at, count, false);
  }

  public static void write(long mbuf, int offset, byte[] source, int at, int count) {
    Objects.checkFromIndexSize(at, count, source.length);
    copy(mbuf, offset, ALL, source, at, count, false);
  }

  /** Copies {@code count} bytes of a packet into another, which these do not overlap. */
  public static void between(long from, int offset, long to, int at, int count) {
    int done = 0;
    int skip = offset;
    for (long segment = from; ; segment = following(segment)) {
      int part = Math.min(Mbuf.dataLength(segment) - skip, count - done);
      if (part > 0) {
        write(to, at + done, ALL, Mbuf.dataAddress(segment) + skip, part);
        done += part;
      }
      if (done == count) {
        return;
      }
      skip = Math.max(0, skip - Mbuf.dataLength(segment));
    }
  }

  /**
   * @param array instead of the memory, unless it is {@link #NO_ARRAY}
   */
  private static void copy(
      long mbuf,
      int offset,
      MemorySegment memory,
      byte[] array,
      long at,
      int count,
      boolean isRead) {
    int done = 0;
    int skip = offset;
    for (long segment = mbuf; ; segment = following(segment)) {
      int part = Math.min(Mbuf.dataLength(segment) - skip, count - done);
      if (part > 0) {
        copy(Mbuf.dataAddress(segment) + skip, memory, array, at + done, part, isRead);
        done += part;
      }
      if (done == count) {
        return;
      }
      skip = Math.max(0, skip - Mbuf.dataLength(segment));
    }
  }

  @SuppressWarnings("ReferenceEquality")
  private static void copy(
      long packet, MemorySegment memory, byte[] array, long at, int count, boolean isRead) {
    if (array != NO_ARRAY) {
      if (isRead) {
        MemorySegment.copy(ALL, U8, packet, array, (int) at, count);
      } else {
        MemorySegment.copy(array, (int) at, ALL, U8, packet, count);
      }
    } else if (isRead) {
      MemorySegment.copy(ALL, packet, memory, at, count);
    } else {
      MemorySegment.copy(memory, at, ALL, packet, count);
    }
  }

  /**
   * The segment after one that is not the last.
   *
   * @throws IllegalStateException if it is: the packet claims to be longer
   */
  public static long following(long segment) {
    long next = Mbuf.next(segment);
    if (next == 0 || next == segment) {
      throw broken(segment);
    }
    return next;
  }

  /** What to throw for a packet whose segments do not make sense. */
  public static IllegalStateException broken(long mbuf) {
    return new IllegalStateException(
        "segments of a packet do not add up to its length: length="
            + Mbuf.packetLength(mbuf)
            + ", segments="
            + Mbuf.segments(mbuf)
            + "; this is a bug of the driver that made it");
  }

  /** Buffers that a packet takes in a pool with such room. */
  public static int buffers(int lengthBytes, int roomBytes) {
    return Math.max(1, Math.ceilDiv(lengthBytes, roomBytes));
  }

  /**
   * Makes one packet of the first {@link #buffers} of the empty ones at {@code fresh}, whose bytes
   * stay as they are.
   *
   * @param fresh address of an array of handles
   * @return the first of them, to which the others are linked
   */
  public static long link(long fresh, int lengthBytes, int roomBytes) {
    int count = buffers(lengthBytes, roomBytes);
    for (int i = 0; i < count; i++) {
      long mbuf = Handles.get(fresh, i);
      Mbuf.dataLength(mbuf, Math.min(roomBytes, lengthBytes - i * roomBytes));
      Mbuf.next(mbuf, i + 1 < count ? Handles.get(fresh, i + 1) : 0);
    }
    long first = Handles.get(fresh, 0);
    Mbuf.packetLength(first, lengthBytes);
    Mbuf.segments(first, count);
    return first;
  }
}
