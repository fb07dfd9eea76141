package io.linerate.apps.run;

import io.linerate.core.log.LogEntry;
import java.io.PrintStream;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where a command speaks: results to {@code out}, everything else to {@code err}, each line of it
 * after the program's name.
 */
public record Console(PrintStream out, PrintStream err) {
  private static final String PREFIX = "linerate: ";

  /** More lines are no help, and what a binary file leads to. */
  private static final int MAX_LINES = 20;

  private static final int MAX_LINE_LENGTH = 1_000;

  /**
   * Says something in a line of its own for each line of it. It may quote a file or an address:
   * what could control the terminal is not passed on.
   */
  public void say(String message) {
    List<String> lines = message.lines().toList();
    lines.stream().limit(MAX_LINES).forEach(line -> err.println(PREFIX + printable(line)));
    if (lines.size() > MAX_LINES) {
      err.println(PREFIX + "and " + (lines.size() - MAX_LINES) + " more like these");
    }
  }

  private static String printable(String line) {
    int end = line.length() - MAX_LINE_LENGTH / 2;
    String text =
        line.length() <= MAX_LINE_LENGTH
            ? line
            : line.substring(0, MAX_LINE_LENGTH / 2) + " ... " + line.substring(end);
    return TerminalText.of(text);
  }

  /** Prints what the program logs, an exception with its stack behind. */
  public void log(LogEntry entry, @Nullable Throwable thrown) {
    say(entry.line());
    if (thrown != null) {
      thrown.printStackTrace(err);
    }
  }

  public void warn(String message) {
    say("warning: " + message);
  }
}
