package io.linerate.fabric.channel;

import java.lang.foreign.MemorySegment;

/**
 * How many messages may be under way in each direction of a channel: all numbers wrap at 2^32. See
 * {@link ChannelHost} for the reasons.
 */
final class Credits {
  /** CREDIT messages that were not asked for by half a window, and not confirmed, at most. */
  private static final int CREDITS_AHEAD = 2;

  private final int ownWindow;

  /** Messages that may be under way in each direction. */
  private int window;

  /** Messages with data that were sent, and those of them whose memory the peer has freed. */
  private int sent;

  private int taken;

  /** Messages of the peer that this side has freed, and those that the peer was told of. */
  private int freed;

  private int freedTold;

  /** CREDIT messages: sent, as many of them as the peer has told to have got, and got. */
  private int creditsSent;

  private int creditsConfirmed;
  private int creditsGot;
  private int creditsGotTold;

  /**
   * @param ownWindow messages that this side has memory for
   */
  Credits(int ownWindow) {
    this.ownWindow = ownWindow;
  }

  /** The peer has memory for so many: no more of it is used than this side has for the peer. */
  void window(int messages) {
    window = Math.min(messages, ownWindow);
  }

  int window() {
    return window;
  }

  int sent() {
    return sent;
  }

  int taken() {
    return taken;
  }

  /**
   * Whether the peer has memory for one more.
   *
   * @param claimed messages that are being written
   */
  boolean isLeft(int claimed) {
    return sent + claimed - taken < window;
  }

  /** Writes the header of a message that is to be sent. */
  void write(MemorySegment message, int kind, int peerId) {
    if (kind == MessageHeader.DATA) {
      sent++;
    } else if (kind == MessageHeader.CREDIT) {
      creditsSent++;
    }
    MessageHeader.write(message, kind, creditsGot, peerId, freed, sent);
    freedTold = freed;
    creditsGotTold = creditsGot;
  }

  /** Reads what the header of a message tells, of which an earlier one may come later. */
  void read(MemorySegment message, int kind) {
    int told = MessageHeader.freed(message);
    if (told - taken > 0 && told - sent <= 0) {
      taken = told;
    }
    int confirmed = (MessageHeader.creditsTaken(message) - creditsConfirmed) & 0xFF;
    if (confirmed <= creditsSent - creditsConfirmed) {
      creditsConfirmed += confirmed;
    }
    if (kind == MessageHeader.CREDIT) {
      creditsGot++;
    }
  }

  /** The memory of a message of the peer is free again. */
  void free() {
    freed++;
  }

  /** Whether half a window was freed since the peer was told. */
  boolean isToBeTold() {
    return freed - freedTold >= window / 2; // The same for both sides.
  }

  /**
   * Whether the peer may be told when there is nothing else to do: it waits for memory freed, or to
   * know that its credits came, and has confirmed what it was told before.
   */
  boolean mayBeTold() {
    boolean hasNews = freed != freedTold || creditsGot - creditsGotTold >= CREDITS_AHEAD;
    return hasNews && creditsSent - creditsConfirmed < CREDITS_AHEAD;
  }
}
