package io.linerate.core.worker;

import io.linerate.core.log.FailureLog;
import io.linerate.core.port.PortException;
import java.util.ArrayList;
import java.util.List;

/** What is done at the end of something: each step, whatever those before it have thrown. */
final class LastSteps {
  private final String failed;
  private final List<RuntimeException> thrown = new ArrayList<>();

  /**
   * @param failed says what was not done as it should, such as {@code worker cannot end: worker=0}
   */
  LastSteps(String failed) {
    this.failed = failed;
  }

  /** Does a step. */
  void take(AutoCloseable step) {
    try {
      step.close();
    } catch (Throwable e) { // Whatever it is, the other steps are taken.
      add(e);
    }
  }

  /** A step failed. */
  void add(Throwable failure) {
    Throwable printable = FailureLog.printable(failure);
    RuntimeException next =
        printable instanceof RuntimeException own && own.getMessage() != null
            ? own
            : new PortException(failed + ", error=" + printable, printable);
    if (!thrown.contains(next)) {
      thrown.add(next);
    }
  }

  /** Throws what was thrown first, with all that was thrown later. */
  void end() {
    if (!thrown.isEmpty()) {
      RuntimeException first = thrown.removeFirst();
      thrown.forEach(first::addSuppressed);
      throw first;
    }
  }
}
