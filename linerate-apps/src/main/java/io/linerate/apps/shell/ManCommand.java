package io.linerate.apps.shell;

import io.linerate.core.config.ConfigException;
import io.linerate.core.config.PathText;
import io.linerate.program.run.Command;
import io.linerate.program.run.Console;
import io.linerate.program.run.ExitStatus;
import io.linerate.program.run.Options;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code linerate man}. */
public final class ManCommand implements Command {
  private final Supplier<CommandSpec> root;

  /**
   * @param root describes the whole command
   */
  public ManCommand(Supplier<CommandSpec> root) {
    this.root = root;
  }

  @Override
  public CommandSpec spec() {
    return Options.command(
        "man",
        """
        Prints the manual page of a command, for man.

        Usage: linerate man [COMMAND]
               linerate man --to FOLDER

        ./linerate link and the Debian package install all of them.

        --to FOLDER  Write the pages of all commands there.
        [COMMAND]  Whose page; that of linerate itself if left out.

        linerate man capture | man -l -
        linerate man --to ~/.local/share/man/man1
        """);
  }

  @Override
  public int run(ParseResult options, Console console) {
    CommandSpec all = root.get();
    String folder = options.matchedOptionValue("--to", null);
    String name = options.matchedPositionalValue(0, null);
    if (folder != null) {
      write(all, PathText.parse(folder));
    } else {
      console.out().print(new ManualPage(name == null ? all : Commands.named(all, name)));
    }
    return ExitStatus.DONE;
  }

  private static void write(CommandSpec all, Path folder) {
    List<CommandSpec> commands = new ArrayList<>(List.of(all));
    all.subcommands().values().forEach(command -> commands.add(command.getCommandSpec()));
    try {
      Files.createDirectories(folder);
      for (CommandSpec command : commands) {
        Path page = folder.resolve(command.qualifiedName("-") + ".1");
        Files.writeString(page, new ManualPage(command).toString());
      }
    } catch (IOException e) {
      throw new ConfigException(
          "manual pages cannot be written: folder=%s, reason=%s; choose another with --to"
              .formatted(folder, e));
    }
  }
}
