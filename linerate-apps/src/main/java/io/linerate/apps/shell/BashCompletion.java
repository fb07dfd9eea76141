package io.linerate.apps.shell;

import java.io.File;
import java.util.List;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** What bash needs, as picocli writes it. */
final class BashCompletion {
  private final CommandSpec root;

  /**
   * @param root is changed: nobody else has it
   */
  BashCompletion(CommandSpec root) {
    this.root = root;
    root.subcommands().values().forEach(command -> nameFiles(command.getCommandSpec()));
  }

  /** Picocli completes files where a value has their type. */
  private static void nameFiles(CommandSpec command) {
    for (OptionSpec option : List.copyOf(command.options())) {
      if (Completed.isFile(option)) {
        command.remove(option);
        command.addOption(
            OptionSpec.builder(option).type(File.class).auxiliaryTypes(File.class).build());
      }
    }
    for (PositionalParamSpec argument : List.copyOf(command.positionalParameters())) {
      if (Completed.isFile(argument)) {
        command.remove(argument);
        command.addPositional(
            PositionalParamSpec.builder(argument)
                .type(File.class)
                .auxiliaryTypes(File.class)
                .build());
      }
    }
  }

  @Override
  public String toString() {
    return AutoComplete.bash(root.name(), new CommandLine(root)) + "\n";
  }
}
