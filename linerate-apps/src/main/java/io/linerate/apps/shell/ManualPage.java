package io.linerate.apps.shell;

import io.linerate.core.counter.ProgramInfo;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** The manual page of a command in the language of man(7), from its own description. */
final class ManualPage {
  private final StringBuilder page = new StringBuilder();

  ManualPage(CommandSpec command) {
    UsageMessageSpec usage = command.usageMessage();
    String name = command.qualifiedName("-");
    line(
        ".TH "
            + name.toUpperCase(Locale.ROOT)
            + " 1 \"\" \"Linerate "
            + ProgramInfo.VERSION
            + "\"");
    section("NAME");
    text(name + " \\- " + escaped(String.join(" ", usage.header()).replaceAll("\\.$", "")));
    section("SYNOPSIS");
    block(
        Stream.of(usage.customSynopsis())
            .map(line -> line.replaceFirst("^(Usage:|      ) ", ""))
            .toList());
    if (usage.description().length > 0) {
      section("DESCRIPTION");
      block(List.of(usage.description()));
    }
    commands(command);
    if (!command.positionalParameters().isEmpty()) {
      section("ARGUMENTS");
      command
          .positionalParameters()
          .forEach(argument -> tagged(argument.paramLabel(), told(argument)));
    }
    section("OPTIONS");
    command.options().forEach(option -> tagged(names(option), told(option)));
    section("EXIT STATUS");
    tagged("0", "Done.");
    tagged("1", "It began and failed.");
    tagged("2", "What was asked for is wrong.");
    if (!command.subcommands().isEmpty()) {
      return;
    }
    if (usage.footer().length > 0) {
      section("EXAMPLES");
      block(Stream.of(usage.footer()).map(String::strip).toList());
    }
    section("SEE ALSO");
    line(".BR linerate (1)");
  }

  private void commands(CommandSpec command) {
    if (!command.subcommands().isEmpty()) {
      section("COMMANDS");
      for (CommandLine sub : command.subcommands().values()) {
        CommandSpec spec = sub.getCommandSpec();
        tagged(spec.qualifiedName("-") + "(1)", String.join(" ", spec.usageMessage().header()));
      }
    }
  }

  private static String names(OptionSpec option) {
    String value = Completed.hasValue(option) ? " " + option.paramLabel() : "";
    return Stream.of(option.names()).map(name -> name + value).collect(Collectors.joining(", "));
  }

  private static String told(ArgSpec argument) {
    return String.join(" ", argument.description());
  }

  private void section(String heading) {
    line(".SH " + heading);
  }

  /** A paragraph with a tag before it. */
  private void tagged(String tag, String text) {
    line(".TP");
    line("\\fB" + escaped(tag) + "\\fR");
    text(escaped(text));
  }

  /** Lines as they are. */
  private void block(List<String> lines) {
    line(".nf");
    lines.forEach(text -> text(escaped(text)));
    line(".fi");
  }

  /** A line that is no request. */
  private void text(String text) {
    line((text.startsWith(".") || text.startsWith("'") ? "\\&" : "") + text);
  }

  private void line(String line) {
    page.append(line).append('\n');
  }

  private static String escaped(String text) {
    return text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq");
  }

  @Override
  public String toString() {
    return page.toString();
  }
}
