package io.linerate.dashboard.http;

/** The bytes of an answer, which any number of clients are sent. Not changed any more. */
public final class Body {
  final byte[] bytes;

  /** Clients that it is being sent to. Guarded by the {@link AnswerBudget}. */
  int readers;

  /**
   * @param bytes are the body's from now on
   */
  public Body(byte[] bytes) {
    this.bytes = bytes;
  }

  int length() {
    return bytes.length;
  }
}
