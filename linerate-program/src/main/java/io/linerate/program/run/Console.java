package io.linerate.program.run;

import io.linerate.core.log.LogEntry;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Where a program speaks: results to {@code out}, everything else to {@code err}, each line of it
 * after the program's name. On a terminal the last line of {@code err} may say how far it is. Any
 * thread.
 */
public final class Console {
  /** More lines are no help, and what a binary file leads to. */
  private static final int MAX_LINES = 20;

  private static final int MAX_LINE_LENGTH = 1_000;

  private static final String ERASE_LINE = "\r\u001B[K";

  private final String name;
  private final PrintStream out;
  private final PrintStream err;
  private final boolean isTerminal;
  private final BooleanSupplier isAbandoned;

  /** Writes a part of the result. */
  @FunctionalInterface
  public interface Result {
    void writeTo(OutputStream out) throws IOException;
  }

  /** What stands in the last line, to be written again below what is said; "": nothing. */
  private String status = "";

  /**
   * @param isTerminal whether a line of {@code err} can be written over
   * @param isAbandoned whether the reader of {@code out} has seen enough
   */
  Console(
      String name,
      PrintStream out,
      PrintStream err,
      boolean isTerminal,
      BooleanSupplier isAbandoned) {
    this.isAbandoned = isAbandoned;
    this.name = name;
    this.out = out;
    this.err = err;
    this.isTerminal = isTerminal;
  }

  /** One that is no terminal. */
  public Console(String name, PrintStream out, PrintStream err) {
    this(name, out, err, false, () -> false);
  }

  /** That of this process. A result that cannot be written is said once. */
  public static Console ofProcess(String name) {
    PrintStream err =
        new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
    Console errors = new Console(name, err, err);
    ResultOutput out = new ResultOutput(new FileOutputStream(FileDescriptor.out), errors::say);
    return new Console(
        name,
        new PrintStream(new BufferedOutputStream(out), false, StandardCharsets.UTF_8),
        err,
        isTerminal(2) && !"dumb".equals(System.getenv().getOrDefault("TERM", "dumb")),
        out::isAbandoned);
  }

  /**
   * Whether a descriptor of this process is a terminal. The virtual machine can tell only whether
   * both standard input and output are.
   */
  public static boolean isTerminal(int descriptor) {
    try {
      String file = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor)).toString();
      return file.matches("/dev/(pts/|tty|console).*");
    } catch (IOException e) {
      return false;
    }
  }

  public String name() {
    return name;
  }

  public PrintStream out() {
    return out;
  }

  public PrintStream err() {
    return err;
  }

  /** Whether a line can be written over, so that {@link #status} is seen. */
  boolean isTerminal() {
    return isTerminal;
  }

  /**
   * Says something in a line of its own for each line of it. It may quote a file or an address:
   * what could control the terminal is not passed on.
   */
  public synchronized void say(String message) {
    erase();
    List<String> lines = message.lines().toList();
    lines.stream().limit(MAX_LINES).forEach(line -> sayLine(printable(line)));
    if (lines.size() > MAX_LINES) {
      sayLine("and " + (lines.size() - MAX_LINES) + " more like these");
    }
    show();
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

  /** Prints a line of the result, at once. */
  public synchronized void print(String line) {
    erase();
    out.println(line);
    out.flush();
    show();
  }

  /**
   * Writes a part of a long result.
   *
   * @return whether somebody reads it: if not, the rest need not be made
   */
  public synchronized boolean write(Result part, boolean isFlushed) {
    erase();
    try {
      part.writeTo(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // A stream for printing throws none.
    }
    if (isFlushed) {
      out.flush();
    }
    show();
    return !isAbandoned.getAsBoolean();
  }

  /** Prints what the program logs, an exception with its stack behind. */
  public synchronized void log(LogEntry entry, @Nullable Throwable thrown) {
    say(entry.line());
    if (thrown != null) {
      trace(thrown);
    }
  }

  /** Prints where something was thrown; its message may quote a file, too. */
  synchronized void trace(Throwable thrown) {
    StringWriter trace = new StringWriter();
    thrown.printStackTrace(new PrintWriter(trace));
    erase();
    err.println(TerminalText.ofLines(trace.toString().replace("\t", "    ")));
    show();
  }

  public void warn(String message) {
    say("warning: " + message);
  }

  /**
   * Says in the last line how far it is, in place of what was said there before; nothing where that
   * cannot be done.
   *
   * @param text "": nothing any more
   */
  synchronized void status(String text) {
    if (isTerminal && !text.equals(status)) {
      erase();
      status = text;
      show();
    }
  }

  private void erase() {
    if (!status.isEmpty()) {
      err.print(ERASE_LINE);
    }
  }

  private void show() {
    if (!status.isEmpty()) {
      err.print(name + ": " + status);
      err.flush();
    }
  }
}
