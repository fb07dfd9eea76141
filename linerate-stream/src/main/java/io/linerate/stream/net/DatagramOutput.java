package io.linerate.stream.net;

/** Where datagrams leave, in the order in which they are given. */
interface DatagramOutput {
  /**
   * Sends a datagram, which is copied, to the other end of a path.
   *
   * @return false if there is no buffer for it
   */
  boolean send(UdpPath path, Datagram datagram);

  /**
   * As {@link #send}; it may leave together with others, by the next {@link #flush} at the latest.
   * Where there is no buffer then, they are lost as datagrams are.
   */
  default boolean sendTogether(UdpPath path, Datagram datagram) {
    return send(path, datagram);
  }

  /** Sends what was to leave together. */
  default void flush() {}
}
