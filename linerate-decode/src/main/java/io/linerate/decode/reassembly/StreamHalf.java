package io.linerate.decode.reassembly;

import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.HeldPackets;
import io.linerate.core.memory.Packet;
import io.linerate.core.memory.SlidingWindowBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** One direction of a stream: what has come in order, and what waits for bytes before it. */
final class StreamHalf {
  private static final int FIRST_KEPT = 8;

  /** In place of the number of a packet that is not held: the one that is looked at. */
  private static final long UNSETTLED = -1;

  final SlidingWindowBuffer window = new SlidingWindowBuffer();
  final SegmentQueue waiting;
  private final HeldPackets held;
  private final Segment added = new Segment();

  // Packets that the window has bytes of, in their order: their numbers, and where they end.
  private long[] kept = new long[FIRST_KEPT];
  private long[] keptEnds = new long[FIRST_KEPT];
  private int keptFrom;
  private int keptTo;

  boolean isBegun;

  /** Sequence number of the byte behind the window. */
  private int next;

  /** Position behind the last byte, if its end has said where that is; -1 otherwise. */
  private long finish;

  /** Position up to which the other end has everything, whatever was seen. */
  private long acknowledged;

  /** The first sequence number that was seen, or that of SYN. */
  int initial;

  long segments;
  long gapBytes;
  long repeatedBytes;

  StreamHalf(OverlapPolicy policy, HeldPackets held) {
    waiting = new SegmentQueue(policy, this::releaseUnused);
    this.held = held;
  }

  void clear() {
    window.clear();
    waiting.clear();
    keptFrom = 0;
    keptTo = 0;
    isBegun = false;
    finish = -1;
    acknowledged = -1;
    segments = 0;
    gapBytes = 0;
    repeatedBytes = 0;
  }

  /**
   * @param sequence of the first byte
   * @param newInitial the first sequence number that was seen
   */
  void begin(int sequence, int newInitial) {
    isBegun = true;
    next = sequence;
    initial = newInitial;
  }

  /** Position of a sequence number: that of the nearest byte that could have it. */
  long position(int sequence) {
    return window.end() + (sequence - next);
  }

  /** Whether all bytes have come that its end has sent. */
  boolean isFinished() {
    return finish >= 0 && window.end() >= finish;
  }

  void finishAt(long position) {
    finish = position;
  }

  /** The other end says that it has everything before a position. */
  void acknowledge(long position) {
    acknowledged = Math.max(acknowledged, position);
  }

  /**
   * Takes the bytes of a segment, which stays in its burst until {@link #settle}: those that are
   * next stand at the end of the window afterwards, others wait.
   */
  void add(Packet packet, int offset, long start, int count) {
    segments++;
    long end = start + count;
    long from = Math.max(start, window.end());
    repeatedBytes += Math.min(from, end) - start;
    if (from >= end) {
      return;
    }
    int at = offset + (int) (from - start);
    if (from == window.end() && waiting.size() == 0) {
      append(packet, at, (int) (end - from));
      keep(UNSETTLED, end);
      return;
    }
    added.start = from;
    added.end = end;
    added.wholeStart = start;
    added.wholeEnd = end;
    added.packet = UNSETTLED;
    added.offset = at;
    waiting.add(added);
    advance(packet);
  }

  private void append(Packet packet, int offset, int count) {
    window.append(packet, offset, count);
    next += count;
  }

  /**
   * Moves what is next from those that wait into the window.
   *
   * @param unsettled the packet that is looked at; null: none is
   */
  void advance(@Nullable Packet unsettled) {
    while (waiting.size() > 0 && waiting.first().start <= window.end()) {
      Segment first = waiting.first();
      if (first.end > window.end()) {
        first.beginAt(window.end());
        append(packet(first.packet, unsettled), first.offset, first.bytes());
        keep(first.packet, window.end());
      }
      waiting.removeFirst();
    }
  }

  private Packet packet(long number, @Nullable Packet unsettled) {
    Packet packet = number == UNSETTLED ? unsettled : held.packet(number);
    if (packet == null) {
      throw new IllegalStateException(
          "packet of a stream is not held any more: number=%d; leave packets of a reassembler to it"
              .formatted(number));
    }
    return packet;
  }

  private void keep(long packet, long end) {
    if (keptTo == kept.length) {
      int count = keptTo - keptFrom;
      int size = count > kept.length / 2 ? 2 * kept.length : kept.length;
      kept = Arrays.copyOf(Arrays.copyOfRange(kept, keptFrom, keptTo), size);
      keptEnds = Arrays.copyOf(Arrays.copyOfRange(keptEnds, keptFrom, keptTo), size);
      keptFrom = 0;
      keptTo = count;
    }
    kept[keptTo] = packet;
    keptEnds[keptTo++] = end;
  }

  /**
   * Ends the look at a packet: it is held if bytes of it are needed later. Packets that were read
   * are let go.
   */
  void settle(Packet packet) {
    release();
    if (isNeeded(UNSETTLED)) {
      hold(packet);
    }
  }

  private void hold(Packet packet) {
    if (!held.add(packet)) {
      forgetUnsettled();
      return;
    }
    long number = held.lastNumber();
    for (int i = keptFrom; i < keptTo; i++) {
      kept[i] = kept[i] == UNSETTLED ? number : kept[i];
    }
    for (int i = 0; i < waiting.size(); i++) {
      Segment segment = waiting.get(i);
      segment.packet = segment.packet == UNSETTLED ? number : segment.packet;
    }
    window.follow(packet(number, packet));
  }

  /** The packet is gone, and with it all that nobody has read. */
  void forgetUnsettled() {
    giveUp();
    for (int i = waiting.size() - 1; i >= 0; i--) {
      if (waiting.get(i).packet == UNSETTLED) {
        waiting.remove(i);
      }
    }
  }

  /** Lets go of packets whose bytes were read. */
  void release() {
    while (keptFrom < keptTo && keptEnds[keptFrom] <= window.start()) {
      releaseUnused(kept[keptFrom++]);
    }
    if (keptFrom == keptTo) {
      keptFrom = 0;
      keptTo = 0;
    }
  }

  /** Drops a packet unless a range of it is still needed. */
  private void releaseUnused(long number) {
    if (number != UNSETTLED && !isNeeded(number)) {
      drop(number);
    }
  }

  private boolean isNeeded(long number) {
    for (int i = keptFrom; i < keptTo; i++) {
      if (kept[i] == number) {
        return true;
      }
    }
    for (int i = 0; i < waiting.size(); i++) {
      if (waiting.get(i).packet == number) {
        return true;
      }
    }
    return false;
  }

  private void drop(long number) {
    Packet packet = held.packet(number);
    if (packet != null) {
      packet.drop(DropReason.CONSUMED);
    }
  }

  /** Whether bytes that others wait for will never come: the receiver has them. */
  boolean isGapCertain() {
    return waiting.size() > 0 && acknowledged >= waiting.first().start;
  }

  /** Whether more waits than may, or what waits is further away than a window. */
  boolean isTooFar(int windowBytes) {
    return waiting.size() > 0
        && (waiting.bytes() > windowBytes || waiting.first().start - window.end() > windowBytes);
  }

  /** Forgets what nobody has read. */
  void giveUp() {
    window.slideTo(window.end());
    release();
  }

  /** Gives up what the first of those that wait is waiting for; the window has to be empty. */
  long skipGap() {
    long missing = waiting.first().start - window.end();
    window.skipTo(waiting.first().start);
    next += (int) missing;
    gapBytes += missing;
    return missing;
  }

  /** Lets go of everything. */
  void end() {
    window.slideTo(window.end());
    release();
    while (waiting.size() > 0) {
      waiting.removeFirst();
    }
  }
}
