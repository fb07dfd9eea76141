package io.linerate.stream.net;

/** Numbers of the wire format: docs/stream-protocol.md. */
final class Wire {
  static final int VERSION = 1;

  // Kinds of datagrams, in the lower half of the first byte; the version is in the upper one.
  static final int INIT = 0;
  static final int RETRY = 1;
  static final int ACCEPT = 2;
  static final int DATA = 3;
  static final int RESET = 4;
  static final int FULL = 5;

  /**
   * Where the identifier of the session is that who receives the datagram has given it; in INIT and
   * RESET, that who sends it has.
   */
  static final int ID_AT = 4;

  static final int NUMBER_AT = 12;

  /** Of a datagram of a session. */
  static final int HEADER_BYTES = 20;

  // Frames.
  static final int PADDING = 0;
  static final int PING = 1;
  static final int ACK = 2;
  static final int CREDIT = 3;
  static final int PIECE = 4;
  static final int PART = 5;
  static final int END = 6;
  static final int CLOSE = 7;

  // Bytes of frames, without what they carry.
  static final int ACK_BYTES = 18;
  static final int RANGE_BYTES = 8;
  static final int CREDIT_BYTES = 9;
  static final int PIECE_BYTES = 11;
  static final int PART_BYTES = 19;
  static final int END_BYTES = 9;
  static final int CLOSE_BYTES = 4;

  /** Datagrams that every path of the Internet takes: RFC 8899, section 5.1.2. */
  static final int LEAST_BYTES = 1_200;

  private Wire() {}

  static int first(int kind) {
    return VERSION << 4 | kind;
  }
}
