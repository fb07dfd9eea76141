package io.linerate.apps.programs;

import io.linerate.core.config.ConfigException;
import io.linerate.core.counter.CountersReader;
import io.linerate.core.counter.ProgramFolder;
import io.linerate.dashboard.DashboardFile;
import io.linerate.program.run.CommandException;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds the one program that a user means: by its name, by the number of its process, or because it
 * is the only one.
 */
public final class ProgramChoice {
  private ProgramChoice() {}

  /** A program, as users name it. */
  private record Name(String name, long pid) {
    boolean isMeant(@Nullable String wanted) {
      return wanted == null || wanted.equals(name) || wanted.equals(Long.toString(pid));
    }

    @Override
    public String toString() {
      return pid + " (" + name + ")";
    }
  }

  /**
   * Opens the counters of a program.
   *
   * @param wanted null: the only one
   * @throws CommandException if it does not run, or does not publish its counters
   * @throws ConfigException if more than one is meant
   */
  public static CountersReader open(ProgramFolder folder, @Nullable String wanted) {
    List<CountersReader> running = folder.running();
    CountersReader chosen = null;
    try {
      chosen =
          choose(
              running,
              reader -> new Name(reader.program().name(), reader.program().pid()),
              wanted,
              "start one, without counters=false and as this user");
      return chosen;
    } finally {
      for (CountersReader reader : running) {
        if (!reader.equals(chosen)) {
          reader.close();
        }
      }
    }
  }

  /** Finds the dashboard of a program in the same way. */
  public static DashboardFile.Entry dashboard(@Nullable String wanted) {
    return choose(
        DashboardFile.running(),
        page -> new Name(page.name(), page.pid()),
        wanted,
        "start one with --dashboard and as this user; linerate ctl list shows what runs");
  }

  /**
   * Sees that a program runs, with or without a dashboard.
   *
   * @throws CommandException if none of this name or number does
   */
  public static void require(ProgramFolder folder, String wanted) {
    List<RunningProgram> _ =
        meant(
            RunningProgram.all(folder),
            program -> new Name(program.name(), program.pid()),
            wanted,
            "linerate ctl list shows what runs");
  }

  private static <T> T choose(
      List<T> running, Function<T, Name> name, @Nullable String wanted, String remedy) {
    List<T> meant = meant(running, name, wanted, remedy);
    if (meant.size() > 1) {
      throw new ConfigException(
          "more than one program is meant: running="
              + names(running, name)
              + "; name one by its number");
    }
    return meant.getFirst();
  }

  /** One at least. */
  private static <T> List<T> meant(
      List<T> running, Function<T, Name> name, @Nullable String wanted, String remedy) {
    List<T> meant = running.stream().filter(one -> name.apply(one).isMeant(wanted)).toList();
    if (meant.isEmpty()) {
      String there = names(running, name);
      throw new CommandException(
          "no such program runs: program=%s, running=%s; %s"
              .formatted(
                  wanted == null ? "any" : wanted, there.isEmpty() ? "none" : there, remedy));
    }
    return meant;
  }

  private static <T> String names(List<T> running, Function<T, Name> name) {
    return running.stream().map(name).map(Name::toString).collect(Collectors.joining(", "));
  }
}
