package io.linerate.program.run;

import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Text that comes from elsewhere, such as a name in another program's counters file, without what
 * could control the terminal.
 */
public final class TerminalText {
  private static final Pattern CONTROL = Pattern.compile("[\\p{Cntrl}\\x80-\\x9F]");

  private TerminalText() {}

  /** On one line: control characters become question marks. */
  public static String of(String text) {
    return CONTROL.matcher(text).replaceAll("?");
  }

  /** The same for each line of a longer text. */
  public static String ofLines(String text) {
    return text.lines().map(TerminalText::of).collect(Collectors.joining("\n"));
  }
}
