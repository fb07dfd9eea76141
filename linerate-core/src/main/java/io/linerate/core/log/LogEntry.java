package io.linerate.core.log;

/**
 * What was logged.
 *
 * @param id grows by one with each
 * @param timeMs since 1970
 * @param logger name of who said it
 */
public record LogEntry(
    long id, long timeMs, System.Logger.Level level, String logger, String text) {
  /** The text behind its level, as it is shown on a terminal. */
  public String line() {
    return switch (level) {
      case WARNING -> "warning: " + text;
      case ERROR -> "error: " + text;
      case DEBUG, TRACE -> "debug: " + text;
      default -> text;
    };
  }
}
