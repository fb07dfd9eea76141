package io.linerate.apps.stats;

import io.linerate.core.config.ConfigException;
import io.linerate.core.counter.CountersReader;
import io.linerate.core.counter.ProgramFolder;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Finds the one program that a user means. */
public final class ProgramChoice {
  private ProgramChoice() {}

  /**
   * Opens a program that runs.
   *
   * @param wanted number of its process, or its name; null: the only one
   * @throws ConfigException if there is none, or more than one
   */
  public static CountersReader open(ProgramFolder folder, @Nullable String wanted) {
    List<CountersReader> running = folder.running();
    List<CountersReader> matching =
        running.stream().filter(reader -> wanted == null || isMeant(reader, wanted)).toList();
    if (matching.size() == 1) {
      running.stream().filter(reader -> !matching.contains(reader)).forEach(CountersReader::close);
      return matching.getFirst();
    }
    String there = describe(running);
    running.forEach(CountersReader::close);
    throw new ConfigException(
        matching.isEmpty()
            ? "no such program runs: program="
                + (wanted == null ? "any" : wanted)
                + ", running="
                + there
                + "; start one, without counters=false and as this user"
            : "more than one program is meant: running=" + there + "; name one by its number");
  }

  private static boolean isMeant(CountersReader reader, String wanted) {
    return wanted.equals(Long.toString(reader.program().pid()))
        || wanted.equals(reader.program().name());
  }

  private static String describe(List<CountersReader> running) {
    return running.isEmpty()
        ? "none"
        : running.stream()
            .map(reader -> reader.program().pid() + " (" + reader.program().name() + ")")
            .collect(Collectors.joining(", "));
  }
}
