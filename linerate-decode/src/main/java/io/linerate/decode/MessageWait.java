package io.linerate.decode;

import io.linerate.core.memory.SlidingWindowBuffer;

/**
 * When a protocol is asked how long the message is that one direction of a stream begins with: not
 * before the bytes are there that it wants, and not more often than what came allows. Each packet
 * and each of its bytes brings steps that may be used up; bytes that the protocol reads are such
 * steps.
 */
final class MessageWait {
  /** What a packet brings: the headers of most messages may be read again with each. */
  private static final long STEPS_PER_PACKET = 4_096;

  /** What a byte brings: several times what any protocol reads to find an end. */
  private static final long STEPS_PER_BYTE = 16;

  /** So many are kept for later, if no answer has cost more. */
  private static final long MOST_STEPS = 1 << 18;

  /** What this direction has asked. */
  final Questions questions = new Questions();

  private long steps;
  private long seenEnd;

  /** Position of the message that is not complete. */
  private long start;

  /** Position that has to come before it is. */
  private long wantedEnd;

  /** What it cost to find that it is not. */
  private long price;

  /** Is of another stream from now on. */
  void begin() {
    questions.clear();
    steps = 0;
    seenEnd = 0;
    start = -1;
  }

  /** A packet has brought bytes; whether the protocol is asked. */
  boolean isOver(SlidingWindowBuffer window) {
    boolean isSame = window.start() == start;
    long needed = isSame ? price : 0;
    long bytes = window.end() - Math.max(seenEnd, window.start());
    steps =
        Math.min(steps + STEPS_PER_PACKET + STEPS_PER_BYTE * bytes, Math.max(MOST_STEPS, needed));
    seenEnd = window.end();
    return steps >= needed && !(isSame && wantedEnd > window.end());
  }

  /** The protocol was asked, and has read so many bytes. */
  void asked(long reads) {
    price = reads;
    steps -= reads;
  }

  /** Whether bytes are gone of a message that was waited for. */
  boolean isLost(SlidingWindowBuffer window) {
    return start >= 0 && window.start() > start;
  }

  /** Whether a message is not complete. */
  boolean isWaiting() {
    return start >= 0;
  }

  /** Nothing is waited for: what has come was read. */
  void read() {
    start = -1;
  }

  /**
   * A message is not complete.
   *
   * @param newWantedEnd where it ends; no more than what has come if that is not known
   */
  void await(long newStart, long newWantedEnd) {
    start = newStart;
    wantedEnd = newWantedEnd;
  }
}
