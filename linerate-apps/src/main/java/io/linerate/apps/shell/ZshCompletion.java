package io.linerate.apps.shell;

import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** What zsh needs: a function that describes each command to {@code _arguments}. */
final class ZshCompletion {
  private final StringBuilder script = new StringBuilder();

  ZshCompletion(CommandSpec root) {
    Map<String, CommandLine> commands = root.subcommands();
    script
        .append(
            "#compdef %1$s%n%n_%1$s() {%n  local line state%n  _arguments -C"
                .formatted(root.name()))
        .append(root.options().stream().map(ZshCompletion::option).reduce("", String::concat))
        .append(" '1:command:->command' '*::argument:->argument'%n  case $state in%n".formatted())
        .append("    command)%n      local -a commands=(%n".formatted());
    commands.forEach((name, line) ->
        script.append(
            "        %s%n".formatted(quoted(name + ":" + Completed.brief(line.getCommandSpec())))));
    script.append(
        "      )%n      _describe command commands%n      ;;%n    argument)%n      case $line[1] in%n"
            .formatted());
    commands.forEach((name, line) -> command(name, line.getCommandSpec()));
    script.append(
        "      esac%n      ;;%n  esac%n}%n%n# Sourced, or found by compinit.%nif [[ $funcstack[1] == _%1$s ]]; then _%1$s \"$@\"; else compdef _%1$s %1$s; fi%n"
            .formatted(root.name()));
  }

  private void command(String name, CommandSpec command) {
    script.append("        %s)%n          _arguments".formatted(name));
    command.options().forEach(option -> script.append(option(option)));
    for (PositionalParamSpec argument : command.positionalParameters()) {
      boolean isMany = argument.arity().max() > 1;
      script.append(' ').append(quoted((isMany ? "*" : "") + value(argument)));
    }
    script.append("%n          ;;%n".formatted());
  }

  /** Each of its names, as one of which the others are not offered any more. */
  private static String option(OptionSpec option) {
    StringBuilder words = new StringBuilder();
    String others = option.isMultiValue() ? "*" : "(" + String.join(" ", option.names()) + ")";
    for (String name : option.names()) {
      String value = Completed.hasValue(option) ? value(option) : "";
      words
          .append(' ')
          .append(quoted(others + name + "[" + escaped(Completed.brief(option)) + "]" + value));
    }
    return words.toString();
  }

  private static String value(ArgSpec argument) {
    List<String> candidates = Completed.candidates(argument);
    String action =
        !candidates.isEmpty()
            ? "(" + String.join(" ", candidates) + ")"
            : Completed.isFile(argument) ? "_files" : "";
    return ":" + escaped(argument.paramLabel()) + ":" + action;
  }

  private static String escaped(String text) {
    return text.replaceAll("[\\[\\]:\\\\]", "\\\\$0");
  }

  private static String quoted(String text) {
    return "'" + text.replace("'", "'\\''") + "'";
  }

  @Override
  public String toString() {
    return script.toString();
  }
}
