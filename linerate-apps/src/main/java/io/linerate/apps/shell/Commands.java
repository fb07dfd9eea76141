package io.linerate.apps.shell;

import io.linerate.core.config.ConfigException;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** Finds a command by its name. */
final class Commands {
  private Commands() {}

  /**
   * @throws ConfigException if there is none
   */
  static CommandSpec named(CommandSpec root, String name) {
    CommandLine command = root.subcommands().get(name);
    if (command == null) {
      throw new ConfigException(
          "no such command: name=%s; there are %s"
              .formatted(name, String.join(", ", root.subcommands().keySet())));
    }
    return command.getCommandSpec();
  }
}
