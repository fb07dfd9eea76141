package io.linerate.apps;

import io.linerate.program.run.Console;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs several commands one after the other: the launcher has the JVM make its cache of loaded
 * classes from such a run. Arguments: those of the commands, with {@link #THEN} between them. The
 * exit status is that of the worst.
 */
final class Rehearsal {
  private static final String THEN = "then";

  private Rehearsal() {}

  public static void main(String[] arguments) {
    Console console =
        new Console(
            "linerate", System.out, new PrintStream(System.err, true, StandardCharsets.UTF_8));
    int worst = 0;
    List<String> command = new ArrayList<>();
    for (String word : arguments) {
      if (word.equals(THEN)) {
        worst = Math.max(worst, run(command, console));
        command.clear();
      } else {
        command.add(word);
      }
    }
    System.exit(Math.max(worst, run(command, console)));
  }

  private static int run(List<String> command, Console console) {
    return new Main(console).run(command.toArray(String[]::new));
  }
}
