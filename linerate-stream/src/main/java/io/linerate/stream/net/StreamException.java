package io.linerate.stream.net;

/** A stream has ended before all of it was there. */
public final class StreamException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  StreamException(String message) {
    super(message);
  }
}
