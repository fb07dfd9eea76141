package io.linerate.core.log;

import org.jspecify.annotations.Nullable;

/** Shows what is logged to whoever started the program. */
@FunctionalInterface
public interface LogPrinter {
  /** Lines on standard error, until an application has something better. */
  LogPrinter STANDARD_ERROR =
      (entry, thrown) -> {
        System.err.println("linerate: " + entry.line());
        if (thrown != null) {
          thrown.printStackTrace();
        }
      };

  /**
   * Shows an entry. On the thread that logs, which may be a worker's.
   *
   * @param thrown what was thrown, for its stack; the entry's text names it already
   */
  void print(LogEntry entry, @Nullable Throwable thrown);
}
