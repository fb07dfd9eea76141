package io.linerate.stream.net;

import java.lang.foreign.MemorySegment;

/**
 * Messages that are sent until they are known to have come. In the stream each has its length
 * before it, in 32 bits. What has come is kept up to the end of its message, so that a session that
 * takes the place of another can begin with a whole one.
 */
final class SendBuffer {
  /** Of a message's length. */
  static final int PREFIX_BYTES = Integer.BYTES;

  private final Rings rings;
  private final Ring ring;

  /** As many as there are bytes: pieces that were sent are not shorter, so these never run out. */
  private final Ranges acked;

  private final Ranges lost;

  /** Where the first message begins that is kept. */
  private long base;

  /** All below has come. */
  private long whole;

  /** What was sent once is below. */
  private long sent;

  private long written;

  /** The other side has room for what is below. */
  private long credit;

  // What is to be sent next.
  private long pieceAt;
  private int pieceBytes;

  // Of messages that are sent once: the one that is next, or under way.
  private long message;
  private long messageAt;

  /**
   * @param bytes a power of two
   */
  SendBuffer(Rings rings, long bytes) {
    this.rings = rings;
    ring = rings.take(bytes);
    acked = new Ranges(Integer.MAX_VALUE);
    lost = new Ranges(Integer.MAX_VALUE);
  }

  /** Gives its memory back. */
  void free() {
    rings.give(ring);
  }

  /** The longest message that it ever has room for. */
  static int mostBytes(long capacity) {
    return (int) Math.min(capacity / 2, 1 << 30) - PREFIX_BYTES;
  }

  boolean hasRoom(int bytes) {
    return written - base + PREFIX_BYTES + bytes <= ring.capacity();
  }

  /** Adds a message, for which there is room. */
  void add(MemorySegment source, long at, int bytes) {
    ring.i32(written, bytes);
    ring.put(written + PREFIX_BYTES, source, at, bytes);
    written += PREFIX_BYTES + bytes;
  }

  long base() {
    return base;
  }

  /** Bytes that the messages have that are kept. */
  long keptBytes() {
    return written - base;
  }

  /** What was sent once is below. */
  long sent() {
    return sent;
  }

  /** All below has come. */
  long whole() {
    return whole;
  }

  long written() {
    return written;
  }

  /** The other side has room for more. */
  void credit(long offset) {
    credit = Math.max(credit, offset);
  }

  /** Bytes that were never sent. */
  long unsent() {
    return written - sent;
  }

  boolean isAllAcked() {
    return whole == written;
  }

  /** Whether something could be sent, but for the other side's room. */
  boolean isOutOfCredit() {
    return lost.isEmpty() && sent < written && sent >= credit;
  }

  boolean hasPiece() {
    return !lost.isEmpty() || sent < Math.min(written, credit);
  }

  /**
   * Chooses what is sent next, up to so many bytes: what was lost before what was not sent yet.
   *
   * @return its bytes; 0: nothing
   */
  int choose(int most) {
    if (!lost.isEmpty()) {
      pieceAt = lost.first();
      pieceBytes = (int) Math.min(most, lost.firstEnd() - pieceAt);
    } else {
      pieceAt = sent;
      pieceBytes = (int) Math.max(0, Math.min(most, Math.min(written, credit) - sent));
    }
    return pieceBytes;
  }

  /** Where the piece begins that was chosen. */
  long pieceAt() {
    return pieceAt;
  }

  /** Copies the piece that was chosen, which counts as sent. */
  void take(MemorySegment target, long at) {
    ring.get(pieceAt, target, at, pieceBytes);
    if (pieceAt < sent) {
      boolean _ = lost.remove(pieceAt, pieceAt + pieceBytes);
    } else {
      sent += pieceBytes;
    }
  }

  /** A piece has come. */
  void acked(long offset, int bytes) {
    long end = offset + bytes;
    if (!lost.isEmpty()) {
      boolean _ = lost.remove(offset, end);
    }
    if (offset > whole) {
      boolean _ = acked.add(offset, end);
      return;
    }
    whole = Math.max(whole, end);
    while (!acked.isEmpty() && acked.first() <= whole) {
      whole = Math.max(whole, acked.firstEnd());
      boolean _ = acked.remove(acked.first(), acked.firstEnd());
    }
    forget();
  }

  /** Lets go of whole messages. */
  private void forget() {
    while (base < whole) {
      long end = base + PREFIX_BYTES + ring.i32(base);
      if (end > whole) {
        return;
      }
      base = end;
    }
  }

  /** A piece has not come: what of it has come in another packet stays. */
  void lost(long offset, int bytes) {
    long from = Math.max(offset, whole);
    long end = offset + bytes;
    if (from < end) {
      boolean _ = lost.add(from, end);
      acked.removeFrom(lost, from, end);
    }
  }

  /**
   * Begins anew in another session.
   *
   * @param offset that the other side has got all below of
   * @return false if that is not within what is kept
   */
  boolean resume(long offset) {
    if (offset < base || offset > sent) {
      return false;
    }
    acked.clear();
    lost.clear();
    whole = Math.max(offset, base);
    sent = whole;
    credit = whole;
    forget();
    return true;
  }

  // --- messages that are sent once, in parts ---

  /** Whether a part is to be sent. */
  boolean hasPart() {
    return sent < written;
  }

  /** The number of the message that is next, from 0 on. */
  long message() {
    return message;
  }

  /** Bytes of that message. */
  int messageBytes() {
    return ring.i32(messageAt);
  }

  /** How many of them were sent. */
  int partAt() {
    return (int) Math.max(0, sent - messageAt - PREFIX_BYTES);
  }

  /** Copies what is next of the message, and forgets the whole of it behind its last part. */
  void takePart(MemorySegment target, long at, int bytes) {
    long from = messageAt + PREFIX_BYTES + partAt();
    ring.get(from, target, at, bytes);
    sent = from + bytes;
    if (partAt() == messageBytes()) {
      messageAt = sent;
      base = sent;
      whole = sent;
      message++;
    }
  }
}
