package io.linerate.apps.shell;

import io.linerate.program.run.Command;
import io.linerate.program.run.Console;
import io.linerate.program.run.ExitStatus;
import io.linerate.program.run.Options;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code linerate help}. */
public final class HelpCommand implements Command {
  private final Supplier<CommandSpec> root;

  /**
   * @param root describes the whole command
   */
  public HelpCommand(Supplier<CommandSpec> root) {
    this.root = root;
  }

  @Override
  public CommandSpec spec() {
    return Options.command(
        "help",
        """
        Tells what a command does, and its options.

        Usage: linerate help [COMMAND]

        The same as linerate COMMAND --help.

        [COMMAND]  Which; all commands if left out.

        linerate help
        linerate help capture
        """);
  }

  @Override
  public int run(ParseResult options, Console console) {
    String name = options.matchedPositionalValue(0, null);
    CommandSpec command = name == null ? root.get() : Commands.named(root.get(), name);
    new CommandLine(command).usage(console.out(), Ansi.AUTO);
    return ExitStatus.DONE;
  }
}
