package io.linerate.graph;

import io.linerate.core.log.FailureLog;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/** What elements have thrown when they were closed, until all are. */
final class CloseFailures implements BiConsumer<String, Throwable> {
  private final List<RuntimeException> all = new ArrayList<>();

  @Override
  public void accept(String what, Throwable failure) {
    Throwable printable = FailureLog.printable(failure);
    all.add(new IllegalStateException(what + ", error=" + printable, printable));
  }

  /** Throws the first, with the others. */
  void end() {
    if (!all.isEmpty()) {
      RuntimeException first = all.removeFirst();
      all.forEach(first::addSuppressed);
      throw first;
    }
  }
}
