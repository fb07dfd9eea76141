package io.linerate.driver.dpdk;

import io.linerate.core.driver.Handles;
import io.linerate.core.driver.Mbuf;
import java.lang.foreign.MemorySegment;

/** Copies packets, of any number of segments, into fresh buffers. One thread's own. */
final class MbufCopy {
  @SuppressWarnings("restricted")
  private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

  private final int roomBytes;
  private long source;
  private int sourceOffset;

  MbufCopy(int roomBytes) {
    this.roomBytes = roomBytes;
  }

  /** Number of buffers that a copy of {@code mbuf} takes. */
  int segments(long mbuf) {
    return Math.max(1, Math.ceilDiv(Mbuf.packetLength(mbuf), roomBytes));
  }

  /**
   * Copies {@code mbuf} into the first {@link #segments} of the empty packets at {@code fresh}, and
   * returns the first of them, to which the others are linked.
   */
  long copy(long mbuf, long fresh) {
    int segments = segments(mbuf);
    int left = Mbuf.packetLength(mbuf);
    long head = Handles.get(fresh, 0);
    Mbuf.packetLength(head, left);
    Mbuf.segments(head, segments);
    source = mbuf;
    sourceOffset = 0;
    for (int i = 0; i < segments; i++) {
      long target = Handles.get(fresh, i);
      int length = Math.min(left, roomBytes);
      Mbuf.dataLength(target, length);
      Mbuf.next(target, i + 1 < segments ? Handles.get(fresh, i + 1) : 0);
      fill(Mbuf.dataAddress(target), length);
      left -= length;
    }
    return head;
  }

  /** Makes packets of one buffer each of those that were linked. */
  void separate(long fresh, int segments) {
    for (int i = 0; i < segments; i++) {
      long mbuf = Handles.get(fresh, i);
      Mbuf.next(mbuf, 0);
      Mbuf.segments(mbuf, 1);
    }
  }

  private void fill(long target, int length) {
    int done = 0;
    while (done < length) {
      int part = Math.min(Mbuf.dataLength(source) - sourceOffset, length - done);
      MemorySegment.copy(ALL, Mbuf.dataAddress(source) + sourceOffset, ALL, target + done, part);
      done += part;
      sourceOffset += part;
      if (sourceOffset == Mbuf.dataLength(source)) {
        source = Mbuf.next(source);
        sourceOffset = 0;
      }
    }
  }
}
