package io.linerate.stream.net;

import io.linerate.stream.Bytes;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** What has come of a stream, and was not taken yet; messages leave it whole and in order. */
final class ReceiveBuffer {
  /** Gaps between what has come: more are of a sender that leaves out every other byte. */
  private static final int MOST_RANGES = 1_024;

  private final Rings rings;
  private final Ring ring;
  private final MemorySegment memory;
  private final Ranges above = new Ranges(MOST_RANGES);

  /** For messages that do not lie in one piece; none before the first. */
  private @Nullable Ring wrapped;

  /** That of {@link #wrapped}, for those who only read. */
  private MemorySegment wrappedMemory = MemorySegment.NULL;

  /** What is below was taken. */
  private long taken;

  /** All below has come. */
  private long whole;

  /** Where the stream ends; -1: not known yet. */
  private long end = -1;

  // The message that was given last.
  private int messageBytes;

  /**
   * @param bytes a power of two
   */
  ReceiveBuffer(Rings rings, long bytes) {
    this.rings = rings;
    ring = rings.take(bytes);
    memory = ring.memory().asReadOnly();
  }

  /** Gives its memory back. */
  void free() {
    rings.give(ring);
    if (wrapped != null) {
      rings.give(wrapped);
    }
  }

  long capacity() {
    return ring.capacity();
  }

  /** The longest message. */
  int mostBytes() {
    return SendBuffer.mostBytes(ring.capacity());
  }

  /** The stream begins here: nothing has come yet. */
  void begin(long offset) {
    above.clear();
    taken = offset;
    whole = offset;
    end = -1;
  }

  long whole() {
    return whole;
  }

  long taken() {
    return taken;
  }

  /** There is room for what is below. */
  long credit() {
    return taken + ring.capacity();
  }

  /** Whether all has come, and was taken. */
  boolean hasEnded() {
    return taken == end;
  }

  /** What a piece may be. */
  enum Fit {
    /** It is here now, as far as it was not before. */
    TAKEN,

    /** There are too many gaps: it has to be sent again. */
    REFUSED,

    /** It is where there is no room for it, or behind the end: no sound sender does that. */
    UNSOUND
  }

  /** A piece has come. */
  Fit add(long offset, MemorySegment source, long at, int bytes) {
    long to = offset + bytes;
    if (offset < 0 || to < offset || to > credit() || (end >= 0 && to > end)) {
      return Fit.UNSOUND;
    }
    long from = Math.max(offset, whole);
    if (from >= to) {
      return Fit.TAKEN;
    }
    if (from > whole && !above.add(from, to)) {
      return Fit.REFUSED;
    }
    ring.put(from, source, at + (from - offset), (int) (to - from));
    if (from == whole) {
      whole = to;
      while (!above.isEmpty() && above.first() <= whole) {
        whole = Math.max(whole, above.firstEnd());
        boolean _ = above.remove(above.first(), above.firstEnd());
      }
    }
    return Fit.TAKEN;
  }

  /**
   * Adds a whole message of a stream that leaves out what is lost.
   *
   * @return whether there was room for it
   */
  boolean append(MemorySegment source, long at, int bytes) {
    if (whole + SendBuffer.PREFIX_BYTES + bytes > credit()) {
      return false;
    }
    ring.i32(whole, bytes);
    ring.put(whole + SendBuffer.PREFIX_BYTES, source, at, bytes);
    whole += SendBuffer.PREFIX_BYTES + bytes;
    return true;
  }

  /** Nothing more comes. */
  void end() {
    end = whole;
  }

  /**
   * The stream ends at an offset.
   *
   * @return false if it ends elsewhere, or more has come
   */
  boolean end(long offset) {
    boolean isElsewhere = end >= 0 && end != offset;
    if (isElsewhere || offset < whole || (!above.isEmpty() && offset < above.lastEnd())) {
      return false;
    }
    end = offset;
    return true;
  }

  /** Whether the next message is longer than any that a sound sender gives. */
  boolean isUnsound() {
    return whole - taken >= SendBuffer.PREFIX_BYTES
        && Integer.compareUnsigned(ring.i32(taken), mostBytes()) > 0;
  }

  /**
   * Gives the next message, if it is whole.
   *
   * @param message is at it until {@link #take}
   */
  boolean next(Bytes message) {
    if (whole - taken < SendBuffer.PREFIX_BYTES) {
      return false;
    }
    int bytes = ring.i32(taken);
    if (bytes < 0 || bytes > mostBytes() || whole - taken - SendBuffer.PREFIX_BYTES < bytes) {
      return false;
    }
    long from = taken + SendBuffer.PREFIX_BYTES;
    messageBytes = bytes;
    if (ring.isWhole(from, bytes)) {
      message.wrap(memory, ring.at(from), bytes);
    } else {
      message.wrap(wrapped(from, bytes), 0, bytes);
    }
    return true;
  }

  private MemorySegment wrapped(long from, int bytes) {
    Ring whole = wrapped;
    if (whole == null) {
      whole = rings.take(ring.capacity() / 2);
      wrapped = whole;
      wrappedMemory = whole.memory().asReadOnly();
    }
    ring.get(from, whole.memory(), 0, bytes);
    return wrappedMemory;
  }

  /** Whether a message is whole. */
  boolean hasNext() {
    long there = whole - taken - SendBuffer.PREFIX_BYTES;
    return there >= 0 && !isUnsound() && ring.i32(taken) <= there;
  }

  /** The message that was given is needed no longer. */
  void take() {
    taken += SendBuffer.PREFIX_BYTES + messageBytes;
  }
}
