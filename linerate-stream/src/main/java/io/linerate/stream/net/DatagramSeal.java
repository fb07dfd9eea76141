package io.linerate.stream.net;

/**
 * What makes datagrams of one direction of a session believable: it is put behind their payload.
 * The header, of {@link Wire#HEADER_BYTES}, is protected with it.
 */
sealed interface DatagramSeal extends AutoCloseable permits AeadSeal, ChecksumSeal {
  /** Bytes behind the payload. */
  int bytes();

  /** Protects a datagram, which is longer by {@link #bytes} then. */
  void seal(long number, Datagram datagram);

  /**
   * Whether a datagram is what the other side has sent; it is shorter by {@link #bytes} then, and
   * can be read.
   */
  boolean open(long number, Datagram datagram);

  /** Lets another thread have it. What was done here is seen there if it knows of this. */
  void release();

  @Override
  void close();
}
