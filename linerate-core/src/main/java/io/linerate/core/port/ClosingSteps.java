package io.linerate.core.port;

import io.linerate.core.log.FailureLog;
import java.util.ArrayList;
import java.util.List;

/**
 * Closes something in steps: each is taken, whatever those before it have thrown. For drivers and
 * runtimes.
 */
public final class ClosingSteps {
  private final String failed;
  private final List<RuntimeException> thrown = new ArrayList<>();

  /**
   * @param failed says what was not done as it should, such as {@code worker cannot end: worker=0}
   */
  public ClosingSteps(String failed) {
    this.failed = failed;
  }

  /** Does a step. */
  public void take(AutoCloseable step) {
    try {
      step.close();
    } catch (Throwable e) { // Whatever it is, the other steps are taken.
      add(e);
    }
  }

  /** A step failed. */
  public void add(Throwable failure) {
    if (FailureLog.printable(failure) instanceof RuntimeException own && own.getMessage() != null) {
      if (!thrown.contains(own)) {
        thrown.add(own);
      }
    } else {
      add(failed, failure);
    }
  }

  /** A step failed, of which is said what it was. */
  public void add(String what, Throwable failure) {
    Throwable printable = FailureLog.printable(failure);
    thrown.add(new PortException(what + ", error=" + printable, printable));
  }

  /** Throws what was thrown first, with all that was thrown later. */
  public void end() {
    if (!thrown.isEmpty()) {
      RuntimeException first = thrown.removeFirst();
      thrown.forEach(first::addSuppressed);
      throw first;
    }
  }
}
