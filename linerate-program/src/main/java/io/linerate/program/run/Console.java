package io.linerate.program.run;

import io.linerate.core.log.LogEntry;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where a program speaks: results to {@code out}, everything else to {@code err}, each line of it
 * after the program's name.
 */
public record Console(String name, PrintStream out, PrintStream err) {
  /** More lines are no help, and what a binary file leads to. */
  private static final int MAX_LINES = 20;

  private static final int MAX_LINE_LENGTH = 1_000;

  /** That of this process. A result that cannot be written is said once. */
  public static Console ofProcess(String name) {
    PrintStream err =
        new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
    Console errors = new Console(name, err, err);
    ResultOutput out = new ResultOutput(new FileOutputStream(FileDescriptor.out), errors::say);
    return new Console(
        name, new PrintStream(new BufferedOutputStream(out), false, StandardCharsets.UTF_8), err);
  }

  /**
   * Says something in a line of its own for each line of it. It may quote a file or an address:
   * what could control the terminal is not passed on.
   */
  public void say(String message) {
    List<String> lines = message.lines().toList();
    lines.stream().limit(MAX_LINES).forEach(line -> sayLine(printable(line)));
    if (lines.size() > MAX_LINES) {
      sayLine("and " + (lines.size() - MAX_LINES) + " more like these");
    }
  }

  private void sayLine(String line) {
    err.println(name + ": " + line);
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
