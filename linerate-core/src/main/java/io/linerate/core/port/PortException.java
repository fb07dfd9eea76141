package io.linerate.core.port;

import io.linerate.core.driver.MappedFileFault;
import io.linerate.core.log.FailureLog;

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

  /**
   * Why a queue cannot be used any more: its own exception, or one that explains what it threw.
   *
   * @param what failed, and the names and values of that, up to the last comma or colon
   */
  public static PortException of(Throwable thrown, String what) {
    if (thrown instanceof PortException own) {
      return own;
    }
    Throwable cause = FailureLog.printable(thrown);
    String error =
        MappedFileFault.is(thrown)
            ? MappedFileFault.SENTENCE
            : cause + "; this is a bug of its driver";
    return new PortException(what + " error=" + error, cause);
  }
}
