package io.linerate.bench.fabric.link;

import java.io.IOException;

/**
 * Messages of one size to and from one peer, in buffers of its own outside the heap, as many as the
 * window has; and credits, by which a sender learns what the peer has taken.
 */
interface Link extends AutoCloseable {
  /** Sends the next message, and need not wait until the peer has it. */
  void send() throws IOException;

  /**
   * Waits for the next message.
   *
   * @throws java.io.EOFException when the peer has ended
   */
  void receive() throws IOException;

  /** Says that as many messages were taken as a credit stands for. */
  void sendCredit() throws IOException;

  /**
   * Waits for a credit.
   *
   * @throws java.io.EOFException when the peer has ended
   */
  void receiveCredit() throws IOException;

  @Override
  void close() throws IOException;
}
