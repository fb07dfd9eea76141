package io.linerate.apps.doctor;

import io.linerate.core.config.ConfigException;
import io.linerate.program.run.CommandException;
import io.linerate.program.run.Console;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/**
 * Mends what was found, one after the other.
 *
 * @param isYes whether nobody is asked before
 */
record Mending(Console console, boolean isYes) {
  /**
   * Does it.
   *
   * @throws ConfigException if there is nobody who could be asked
   */
  void run(List<Finding> findings) {
    List<Finding> fixable = findings.stream().filter(it -> it.fix().isPresent()).toList();
    if (fixable.isEmpty()) {
      console.say("nothing that can be mended from here");
      return;
    }
    if (!isYes && !Console.isTerminal(0)) {
      throw new ConfigException("nobody can be asked: standard input is no terminal; add --yes");
    }
    BufferedReader answers =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (Finding finding : fixable) {
      Fix fix = finding.fix().orElseThrow();
      console.say(finding.name() + ": " + finding.value() + "; " + fix.text());
      if (isYes || isWanted(answers)) {
        mend(fix);
      }
    }
  }

  private void mend(Fix fix) {
    try {
      fix.run();
      console.say("mended" + (fix.undo().isEmpty() ? "" : "; to take it back: " + fix.undo()));
    } catch (CommandException e) {
      console.say(String.valueOf(e.getMessage()));
    }
  }

  private boolean isWanted(BufferedReader answers) {
    console.err().print(console.name() + ": run it? [y/N] ");
    console.err().flush();
    try {
      String answer = answers.readLine();
      return answer != null && answer.strip().toLowerCase(Locale.ROOT).startsWith("y");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
