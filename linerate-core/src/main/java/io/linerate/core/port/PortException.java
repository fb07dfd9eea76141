package io.linerate.core.port;

/**
 * A port cannot be opened, or its device or file failed. The message names it, the cause and what
 * to do.
 */
public final class PortException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public PortException(String message) {
    super(message);
  }

  public PortException(String message, Throwable cause) {
    super(message, cause);
  }
}
