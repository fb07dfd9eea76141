package io.linerate.apps.shell;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** What a shell may complete of a command. */
final class Completed {
  private Completed() {}

  /** Whether its value is a file. */
  static boolean isFile(ArgSpec argument) {
    return argument.paramLabel().contains("FILE") || argument.paramLabel().contains(".properties");
  }

  static boolean hasValue(OptionSpec option) {
    return option.arity().max() > 0;
  }

  /** The values that it may have; empty: any. */
  static List<String> candidates(ArgSpec argument) {
    List<String> candidates = new ArrayList<>();
    if (argument.completionCandidates() != null) {
      argument.completionCandidates().forEach(candidates::add);
    }
    return candidates;
  }

  /** Its description, as far as the first full stop. */
  static String brief(ArgSpec argument) {
    return brief(argument.description());
  }

  static String brief(CommandSpec command) {
    return brief(command.usageMessage().header());
  }

  private static String brief(String[] lines) {
    String text = Stream.of(lines).collect(Collectors.joining(" "));
    int end = text.indexOf(". ");
    return (end < 0 ? text : text.substring(0, end)).replaceAll("\\.$", "");
  }
}
