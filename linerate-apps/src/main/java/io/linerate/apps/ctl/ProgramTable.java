package io.linerate.apps.ctl;

import io.linerate.apps.programs.RunningProgram;
import io.linerate.apps.programs.UpTime;
import io.linerate.program.run.TerminalText;
import java.io.PrintStream;
import java.util.List;

/** The programs that run, as {@code linerate ctl list} prints them. */
final class ProgramTable {
  private static final String ROW = "%-20s  %8s  %-12s  %s%n";

  private ProgramTable() {}

  static void print(List<RunningProgram> programs, PrintStream out) {
    out.printf(ROW, "PROGRAM", "PROCESS", "UP", "DASHBOARD");
    long nowMs = System.currentTimeMillis();
    for (RunningProgram program : programs) {
      out.printf(
          ROW,
          TerminalText.of(program.name()),
          program.pid(),
          UpTime.text(nowMs - program.startedMs()),
          program.url().map(TerminalText::of).orElse("none: start it with --dashboard"));
    }
  }
}
