package io.linerate.core.worker;

/** An exception that throws when it is printed. */
final class Unprintable extends RuntimeException {
  private static final long serialVersionUID = 1L;

  @Override
  public String getMessage() {
    throw new IllegalStateException("wanted by the test");
  }
}
