package io.linerate.bench.suite;

/** Something cannot be measured here; the message says why, in one sentence. */
public final class SkipException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final String reason;

  public SkipException(String reason) {
    super(reason);
    this.reason = reason;
  }

  public String reason() {
    return reason;
  }
}
