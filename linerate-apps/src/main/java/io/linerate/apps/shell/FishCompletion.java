package io.linerate.apps.shell;

import java.util.List;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** What fish needs: a line for each command, option and list of values. */
final class FishCompletion {
  private final CommandSpec root;
  private final StringBuilder script = new StringBuilder();

  FishCompletion(CommandSpec root) {
    this.root = root;
    line("", "-f");
    root.options().forEach(option -> option("__fish_use_subcommand", option));
    root.subcommands().forEach((name, line) -> command(name, line.getCommandSpec()));
  }

  private void command(String name, CommandSpec command) {
    line("__fish_use_subcommand", "-a " + name + " -d " + quoted(Completed.brief(command)));
    String seen = "__fish_seen_subcommand_from " + name;
    command.options().forEach(option -> option(seen, option));
    for (PositionalParamSpec argument : command.positionalParameters()) {
      String values = values(argument);
      if (!values.isEmpty()) {
        line(seen, values);
      }
    }
  }

  private void option(String condition, OptionSpec option) {
    StringBuilder words = new StringBuilder();
    for (String name : option.names()) {
      words
          .append(name.startsWith("--") ? "-l " : "-s ")
          .append(name.replaceFirst("--?", ""))
          .append(' ');
    }
    if (Completed.hasValue(option)) {
      String values = values(option);
      words.append(values.isEmpty() ? "-x" : "-r " + values).append(' ');
    }
    line(condition, words + "-d " + quoted(Completed.brief(option)));
  }

  private static String values(ArgSpec argument) {
    List<String> candidates = Completed.candidates(argument);
    return !candidates.isEmpty()
        ? "-a " + quoted(String.join(" ", candidates))
        : Completed.isFile(argument) ? "-F" : "";
  }

  private void line(String condition, String words) {
    script.append("complete -c ").append(root.name());
    if (!condition.isEmpty()) {
      script.append(" -n ").append(quoted(condition));
    }
    script.append(' ').append(words).append('\n');
  }

  private static String quoted(String text) {
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }

  @Override
  public String toString() {
    return script.toString();
  }
}
