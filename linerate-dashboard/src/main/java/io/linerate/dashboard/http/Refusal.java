package io.linerate.dashboard.http;

/** A request that is not granted: the status of HTTP, and a sentence for whoever asked. */
public final class Refusal extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int status;

  /**
   * @param status from 400 on
   */
  public Refusal(int status, String sentence) {
    super(sentence, null, false, false);
    this.status = status;
  }

  int status() {
    return status;
  }
}
