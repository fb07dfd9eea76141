package io.linerate.stream.net;

/** A stream cannot go on: its peer is lost, or there is no room for it. */
public final class StreamException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  StreamException(String message) {
    super(message);
  }
}
