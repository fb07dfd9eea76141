package io.linerate.decode.reassembly;

/** Is told what becomes of streams. All of it on the thread of the reassembler. */
public interface StreamListener {
  /** Nobody is told. */
  StreamListener NONE = new StreamListener() {};

  /** The first segment of a stream was seen. */
  default void onOpen(TcpStream stream) {}

  /**
   * Bytes of one direction never came: what follows them is there. It stands between the bytes that
   * came before and those that come next.
   */
  default void onGap(TcpStream stream, Direction direction, long bytes) {}

  /**
   * Bytes that come after a gap, or at the end of a stream, are there: outside of {@link
   * TcpReassembler#add}, whose caller reads all others. What is not read now is gone.
   */
  default void onBytes(TcpStream stream, Direction direction) {}

  /**
   * All bytes of one direction have come: its end has said that it sends no more. What nobody has
   * read of them stays until the stream is closed.
   */
  default void onFinish(TcpStream stream, Direction direction) {}

  /** Nothing more comes of a stream; what was not read is gone afterwards. */
  default void onClose(TcpStream stream, StreamEnd end) {}
}
