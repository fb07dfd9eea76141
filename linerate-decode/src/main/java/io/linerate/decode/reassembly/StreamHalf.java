package io.linerate.decode.reassembly;

import io.linerate.core.memory.DropReason;
import io.linerate.core.memory.HeldPackets;
import io.linerate.core.memory.Packet;
import io.linerate.core.memory.SlidingWindowBuffer;
import org.jspecify.annotations.Nullable;

/** One direction of a stream: what has come in order, and what waits for bytes before it. */
final class StreamHalf {
  /** Parts of a window that a stream leaves room for to the next one. */
  private static final int USUAL_PARTS = 64;

  /** So many parts for each that there is are too many when memory is short. */
  private static final int LOOSE = 4;

  final SlidingWindowBuffer window = new SlidingWindowBuffer();
  final SegmentQueue waiting;
  private final HeldPackets held;
  private final StreamMemory memory;
  private final UnreadPackets unread = new UnreadPackets();
  private final Segment added = new Segment();

  /** Parts of the window that there is room for, as the memory knows. */
  private int room;

  /** The packet that is looked at, null if none is: it is not held. */
  private @Nullable StreamPacket current;

  // Where its bytes are in the stream, if they wait; the window's end when it came.
  private long currentStart;
  private long currentEnd;
  private long windowEnd;

  boolean isBegun;

  /** Sequence number of the byte behind the window. */
  private int next;

  /** Position behind the last byte, if its end has said where that is; -1 otherwise. */
  private long finish;

  /** Whether the listener knows that. */
  private boolean isFinishTold;

  /** Position up to which the other end has everything, whatever was seen. */
  private long acknowledged;

  /** The first sequence number that was seen, or that of SYN. */
  int initial;

  long segments;
  long gapBytes;
  long repeatedBytes;

  StreamHalf(OverlapPolicy policy, HeldPackets held, StreamMemory memory) {
    waiting = new SegmentQueue(policy, memory, this::removed);
    this.held = held;
    this.memory = memory;
    room = window.partRoom();
    memory.addParts(room);
  }

  /** Is of another stream from now on. */
  void open() {
    end(); // Of one whose end somebody has thrown out of.
    window.clear();
    waiting.begin();
    isBegun = false;
    finish = -1;
    isFinishTold = false;
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

  /** Whether that is so for the first time. */
  boolean isNewlyFinished() {
    boolean isNew = isFinished() && !isFinishTold;
    isFinishTold |= isNew;
    return isNew;
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
    windowEnd = window.end();
    long end = start + count;
    long from = Math.max(start, windowEnd);
    repeatedBytes += Math.min(from, end) - start;
    if (from >= end) {
      return;
    }
    currentStart = from;
    currentEnd = end;
    current = memory.packet();
    int at = offset + (int) (from - start);
    if (from == windowEnd && waiting.size() == 0) {
      append(packet, current, at, (int) (end - from));
      return;
    }
    added.start = from;
    added.end = end;
    added.wholeStart = start;
    added.wholeEnd = end;
    added.packet = current;
    added.offset = at;
    waiting.add(added);
    advance(packet);
  }

  private void append(Packet packet, StreamPacket source, int offset, int count) {
    window.append(packet, offset, count);
    unread.add(source, window.end());
    next += count;
  }

  /**
   * Moves what is next from those that wait into the window.
   *
   * @param looked the packet that is looked at; null: none is
   */
  void advance(@Nullable Packet looked) {
    while (waiting.size() > 0 && waiting.first().start == window.end()) {
      Segment first = waiting.first();
      append(packet(first.packet, looked), first.packet, first.offset, first.bytes());
      waiting.removeFirst();
    }
  }

  @SuppressWarnings("ReferenceEquality") // Packets are themselves only.
  private Packet packet(StreamPacket source, @Nullable Packet looked) {
    Packet packet = source == current ? looked : held.packet(source.number);
    if (packet == null) {
      throw new IllegalStateException(
          "packet of a stream is not held any more: number=%d; leave packets of a reassembler to it"
              .formatted(source.number));
    }
    return packet;
  }

  /**
   * Ends the look at a packet: it is held if bytes of it are needed later. Packets that were read
   * are let go.
   */
  void settle(Packet packet) {
    release();
    StreamPacket settled = current;
    if (settled != null) {
      settle(packet, settled);
    }
  }

  private void settle(Packet packet, StreamPacket settled) {
    if (settled.ranges == 0) {
      freeCurrent(settled);
    } else if (held.add(packet)) {
      settled.number = held.lastNumber();
      current = null;
      window.follow(packet(settled, null), windowEnd);
    } else {
      forgetUnsettled();
    }
  }

  private void freeCurrent(StreamPacket settled) {
    current = null;
    memory.free(settled);
  }

  /** The packet is gone, and with it all that nobody has read. */
  void forgetUnsettled() {
    giveUp();
    StreamPacket gone = current;
    if (gone != null) {
      waiting.remove(gone, currentStart, currentEnd);
      freeCurrent(gone);
    }
  }

  /** Lets go of packets whose bytes were read. */
  private void release() {
    while (!unread.isEmpty() && unread.firstEnd() <= window.start()) {
      memory.steps++;
      drop(unread.removeFirst());
    }
    trimIfShort();
  }

  private void removed(StreamPacket packet) {
    packet.ranges--;
    drop(packet);
  }

  /** Drops a packet unless a range of it is still needed. */
  @SuppressWarnings("ReferenceEquality") // Packets are themselves only.
  private void drop(StreamPacket source) {
    if (source.ranges > 0 || source == current) {
      return;
    }
    Packet packet = held.packet(source.number);
    memory.free(source);
    if (packet != null) {
      packet.drop(DropReason.CONSUMED);
    }
  }

  /** Whether bytes that others wait for will never come: the receiver has them. */
  boolean isGapCertain() {
    return waiting.size() > 0 && acknowledged >= waiting.first().start;
  }

  /** Whether more waits than may, or what waits is further away than a window. */
  boolean isTooFar(StreamSettings settings) {
    return waiting.size() > 0
        && (waiting.bytes() > settings.windowBytes()
            || waiting.size() > settings.waitingSegments()
            || memory.isFull()
            || waiting.first().start - window.end() > settings.windowBytes());
  }

  /** Whether more is unread than may be. */
  boolean isTooLong(StreamSettings settings) {
    return window.length() > settings.windowBytes() || window.parts() > settings.unreadParts();
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
    giveUp();
    waiting.removeAll();
    if (room > USUAL_PARTS) {
      trim();
    }
  }

  /** Room that is not needed is left to others when there is not enough. */
  private void trimIfShort() {
    count();
    if (memory.isShort() && room > LOOSE * window.parts()) {
      trim();
    }
  }

  private void trim() {
    window.trim();
    unread.trim();
    count();
  }

  private void count() {
    int now = window.partRoom();
    memory.addParts(now - room);
    room = now;
  }
}
