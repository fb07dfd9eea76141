package io.linerate.bench.fabric.exchange;

/**
 * Messages of one size to and from the peer, in one of the variants. One without bytes is a credit:
 * a part of the window was taken, and has memory again.
 */
interface Traffic {
  /** Sends the next message, or a credit; false if the queue is full: {@link #take} makes room. */
  boolean send(boolean isCredit);

  /**
   * Takes the messages that have come.
   *
   * @param isWaiting whether to wait until something has come, or was sent
   * @return how many, without credits
   */
  int take(boolean isWaiting);

  /**
   * Waits until something has come, or was sent: for the only message that is under way. Its memory
   * is posted again by the next call, while the answer to it is under way.
   *
   * @return whether it has come
   */
  boolean takeOne();

  /** Credits that have come since the start. */
  long credits();
}
