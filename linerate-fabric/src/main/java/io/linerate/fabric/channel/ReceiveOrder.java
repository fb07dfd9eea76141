package io.linerate.fabric.channel;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Puts messages that have come into the order in which they were sent: tcp+rxm completes those that
 * the peer's memory is read for after later ones.
 */
final class ReceiveOrder {
  private final Deque<Incoming> inbox = new ArrayDeque<>();

  /** Messages that came before others that were sent earlier, by their numbers. */
  private final @Nullable Incoming[] early;

  private int received;
  private boolean hasEnd;
  private int endNumber;

  /**
   * @param window messages that may be under way
   */
  ReceiveOrder(int window) {
    early = new Incoming[Integer.highestOneBit(2 * window - 1)];
  }

  /** Whether a message of this number can come now. */
  boolean isExpected(int number) {
    int ahead = number - received;
    return ahead > 0 && ahead <= early.length && early[place(number)] == null;
  }

  private int place(int number) {
    return number & (early.length - 1);
  }

  /** Puts a message in its place: its number {@link #isExpected}. */
  void put(Incoming message, int number) {
    early[place(number)] = message;
    for (int at = place(received + 1); early[at] != null; at = place(received + 1)) {
      inbox.add(early[at]);
      early[at] = null;
      received++;
    }
  }

  /** The peer has said that this number is the last. */
  void end(int number) {
    hasEnd = true;
    endNumber = number;
  }

  /** Whether all has come that the peer has sent before its end. */
  boolean isAtEnd() {
    return hasEnd && received == endNumber;
  }

  @Nullable Incoming receive() {
    return inbox.poll();
  }

  boolean hasMessages() {
    return !inbox.isEmpty();
  }

  /** Messages that have come in order; wraps at 2^32. */
  int received() {
    return received;
  }

  void clear() {
    inbox.clear();
  }
}
