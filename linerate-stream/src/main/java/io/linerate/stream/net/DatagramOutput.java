package io.linerate.stream.net;

/** Where datagrams leave. */
@FunctionalInterface
interface DatagramOutput {
  /**
   * Sends a datagram, which is copied, to the other end of a path.
   *
   * @return false if there is no buffer for it
   */
  boolean send(UdpPath path, Datagram datagram);
}
