package io.linerate.stream.net;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Messages of a stream that leaves out what is lost: those that come whole and in order go into the
 * buffer, if it has room. Of one that comes in several parts, another one begins when a part of a
 * later one comes.
 */
final class Parts {
  private final Rings rings;
  private final ReceiveBuffer to;
  private FlowCounts counts;
  private final Ranges come = new Ranges(256);
  private @Nullable Ring assembly;

  /** The lowest number that is taken. */
  private long next;

  /** Of the message that is under way. */
  private int length = -1;

  private boolean hasEnded;

  Parts(Rings rings, ReceiveBuffer to, FlowCounts counts) {
    this.rings = rings;
    this.to = to;
    this.counts = counts;
  }

  /** The stream begins here: nothing has come yet. */
  void begin(long message) {
    next = message;
    length = -1;
    hasEnded = false;
  }

  /** The lowest message that is taken. */
  long next() {
    return next;
  }

  /** From now on it counts there. */
  void counts(FlowCounts others) {
    counts = others;
  }

  /** Gives its memory back. */
  void free() {
    if (assembly != null) {
      rings.give(assembly);
    }
  }

  /**
   * A part of a message has come.
   *
   * @return false if no sound sender sends it
   */
  boolean add(long message, int whole, int at, MemorySegment source, long from, int bytes) {
    boolean isSound =
        message >= 0 && whole >= 0 && whole <= to.mostBytes() && at >= 0 && bytes <= whole - at;
    if (!isSound) {
      return false;
    }
    if (message < next || hasEnded) {
      counts.late++;
      return true;
    }
    if (message > next || length < 0) {
      counts.missing += message - next;
      next = message;
      length = whole;
      come.clear();
    }
    if (whole != length) {
      return false;
    }
    if (bytes == whole) {
      end(source, from);
      return true;
    }
    Ring parts = assembly;
    if (parts == null) {
      parts = rings.take(to.capacity() / 2);
      assembly = parts;
    }
    if (come.add(at, at + bytes)) {
      parts.put(at, source, from, bytes);
    }
    if (come.count() == 1 && come.first() == 0 && come.firstEnd() == whole) {
      end(parts.memory(), 0);
    }
    return true;
  }

  private void end(MemorySegment source, long from) {
    if (!to.append(source, from, length)) {
      counts.noRoom++;
    }
    next++;
    length = -1;
  }

  /**
   * There are so many messages, and no more.
   *
   * @return false if more have come
   */
  boolean end(long messages) {
    if (messages < next) {
      return false;
    }
    if (!hasEnded) {
      hasEnded = true;
      counts.missing += messages - next;
      next = messages;
      to.end();
    }
    return true;
  }
}
