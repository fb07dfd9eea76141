package io.linerate.decode.reassembly;

import java.util.Arrays;
import java.util.function.LongConsumer;

/**
 * The segments of one direction that wait for bytes before them, in their order and without
 * overlaps. It makes no object once it has had as many as it will have.
 */
final class SegmentQueue {
  private static final int FIRST_SEGMENTS = 4;

  private final OverlapPolicy policy;
  private final LongConsumer onRemoval;
  private Segment[] segments = new Segment[FIRST_SEGMENTS];
  private int count;
  private long bytes;
  private long overlapBytes;
  private final Segment rest = new Segment();

  /**
   * @param onRemoval is told the number of a packet that a range was removed of
   */
  SegmentQueue(OverlapPolicy policy, LongConsumer onRemoval) {
    this.policy = policy;
    this.onRemoval = onRemoval;
    Arrays.setAll(segments, _ -> new Segment());
  }

  int size() {
    return count;
  }

  /** Bytes that wait. */
  long bytes() {
    return bytes;
  }

  /** Bytes that came although others were there already, since it was cleared. */
  long overlapBytes() {
    return overlapBytes;
  }

  void clear() {
    count = 0;
    bytes = 0;
    overlapBytes = 0;
  }

  Segment get(int index) {
    return segments[index];
  }

  Segment first() {
    return segments[0];
  }

  void removeFirst() {
    remove(0);
  }

  void remove(int index) {
    Segment removed = segments[index];
    bytes -= removed.bytes();
    System.arraycopy(segments, index + 1, segments, index, count - index - 1);
    segments[--count] = removed;
    onRemoval.accept(removed.packet);
  }

  private void insert(int index, Segment segment) {
    if (count == segments.length) {
      segments = Arrays.copyOf(segments, 2 * count);
      for (int i = count; i < segments.length; i++) {
        segments[i] = new Segment();
      }
    }
    Segment free = segments[count];
    System.arraycopy(segments, index, segments, index + 1, count - index);
    free.copy(segment);
    segments[index] = free;
    count++;
    bytes += free.bytes();
  }

  /** Takes those bytes of a segment that the policy keeps; it is changed on the way. */
  void add(Segment added) {
    int i = 0;
    while (i < count && segments[i].end <= added.start) {
      i++;
    }
    while (i < count && segments[i].start < added.end && added.start < added.end) {
      Segment old = segments[i];
      overlapBytes += Math.min(old.end, added.end) - Math.max(old.start, added.start);
      if (policy.keepsNew(added.wholeStart, added.wholeEnd, old.wholeStart, old.wholeEnd)) {
        i = cutOld(i, added);
      } else {
        i = cutNew(i, added);
      }
    }
    if (added.start < added.end) {
      insert(i, added);
    }
  }

  /** Takes away from the old what the new has; returns where the next one is that may overlap. */
  private int cutOld(int index, Segment added) {
    Segment old = segments[index];
    if (old.end > added.end) {
      rest.copy(old);
      rest.beginAt(added.end);
      bytes -= old.end - added.end;
      old.end = added.end;
      insert(index + 1, rest);
      old = segments[index];
    }
    if (old.start < added.start) {
      bytes -= old.end - added.start;
      old.end = added.start;
      return index + 1;
    }
    remove(index);
    return index;
  }

  /** Keeps of the new what is before the old, and goes on with what is behind it. */
  private int cutNew(int index, Segment added) {
    Segment old = segments[index];
    long oldEnd = old.end;
    int next = index + 1;
    if (added.start < old.start) {
      rest.copy(added);
      rest.end = old.start;
      insert(index, rest);
      next++;
    }
    added.beginAt(Math.min(oldEnd, added.end));
    return next;
  }
}
