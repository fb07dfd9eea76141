package io.linerate.decode.reassembly;

import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The segments of one direction that wait for bytes before them, in their order and without
 * overlaps. To find the place of one takes steps as the logarithm of their number, and none where
 * it is the last, as most are; each that it overlaps, of one byte at least, takes as many.
 */
final class SegmentQueue {
  private final OverlapPolicy policy;
  private final StreamMemory memory;
  private final Consumer<StreamPacket> onRemoval;
  private final SegmentTree tree;
  private @Nullable Segment first;
  private @Nullable Segment last;
  private int count;
  private long bytes;
  private long overlapBytes;
  private final Segment rest = new Segment();

  /**
   * @param onRemoval is told the packet that a range was removed of
   */
  SegmentQueue(OverlapPolicy policy, StreamMemory memory, Consumer<StreamPacket> onRemoval) {
    this.policy = policy;
    this.memory = memory;
    this.onRemoval = onRemoval;
    tree = new SegmentTree(memory);
  }

  int size() {
    return count;
  }

  /** Bytes that wait. */
  long bytes() {
    return bytes;
  }

  /** Bytes that came although others were there already, since it was begun. */
  long overlapBytes() {
    return overlapBytes;
  }

  /** Is of another stream from now on; it has to be empty. */
  void begin() {
    overlapBytes = 0;
  }

  Segment first() {
    return Objects.requireNonNull(first);
  }

  void removeFirst() {
    remove(first());
  }

  void removeAll() {
    tree.clear();
    while (first != null) {
      memory.steps++;
      unlink(first);
    }
  }

  private void remove(Segment removed) {
    tree.remove(removed);
    unlink(removed);
  }

  private void unlink(Segment removed) {
    Segment before = removed.previous;
    Segment after = removed.next;
    if (before == null) {
      first = after;
    } else {
      before.next = after;
    }
    if (after == null) {
      last = before;
    } else {
      after.previous = before;
    }
    count--;
    bytes -= removed.bytes();
    StreamPacket packet = removed.packet;
    memory.free(removed);
    onRemoval.accept(packet);
  }

  /**
   * @param after null if it is the last
   */
  private void insert(Segment copied, @Nullable Segment after) {
    Segment segment = memory.segment();
    segment.copy(copied);
    segment.packet.ranges++;
    Segment before = after == null ? last : after.previous;
    segment.previous = before;
    segment.next = after;
    if (before == null) {
      first = segment;
    } else {
      before.next = segment;
    }
    if (after == null) {
      last = segment;
    } else {
      after.previous = segment;
    }
    tree.add(segment);
    count++;
    bytes += segment.bytes();
  }

  private @Nullable Segment firstBehind(long position) {
    return last == null || last.end <= position ? null : tree.firstBehind(position);
  }

  /** Takes those bytes of a segment that the policy keeps; it is changed on the way. */
  void add(Segment added) {
    Segment at = firstBehind(added.start);
    while (at != null && at.start < added.end && added.start < added.end) {
      memory.steps++;
      Segment old = at;
      overlapBytes += Math.min(old.end, added.end) - Math.max(old.start, added.start);
      if (policy.keepsNew(added.wholeStart, added.wholeEnd, old.wholeStart, old.wholeEnd)) {
        at = cutOld(old, added);
      } else {
        at = cutNew(old, added);
      }
    }
    if (added.start < added.end) {
      insert(added, at);
    }
  }

  /** Takes away from the old what the new has; returns the next one that may overlap. */
  private @Nullable Segment cutOld(Segment old, Segment added) {
    if (old.end > added.end) {
      rest.copy(old);
      rest.beginAt(added.end);
      bytes -= old.end - added.end;
      old.end = added.end;
      insert(rest, old.next);
    }
    Segment next = old.next;
    if (old.start < added.start) {
      bytes -= old.end - added.start;
      old.end = added.start;
    } else {
      remove(old);
    }
    return next;
  }

  /** Keeps of the new what is before the old, and goes on with what is behind it. */
  private @Nullable Segment cutNew(Segment old, Segment added) {
    if (added.start < old.start) {
      rest.copy(added);
      rest.end = old.start;
      insert(rest, old);
    }
    added.beginAt(Math.min(old.end, added.end));
    return old.next;
  }

  /** Removes what is of a packet, of which nothing is outside of a range. */
  @SuppressWarnings("ReferenceEquality") // Packets are themselves only.
  void remove(StreamPacket packet, long start, long end) {
    Segment at = firstBehind(start);
    while (at != null && at.start < end) {
      memory.steps++;
      Segment next = at.next;
      if (at.packet == packet) {
        remove(at);
      }
      at = next;
    }
  }
}
