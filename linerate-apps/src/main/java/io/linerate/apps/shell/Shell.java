package io.linerate.apps.shell;

import io.linerate.core.config.ConfigException;
import io.linerate.core.config.EnumText;
import picocli.CommandLine.Model.CommandSpec;

/** A shell, and what it needs to complete a command. */
enum Shell {
  BASH,
  ZSH,
  FISH;

  /**
   * The shell of that name.
   *
   * @throws ConfigException if there is none
   */
  static Shell named(String name) {
    return EnumText.read(name, Shell.class)
        .orElseThrow(() ->
            new ConfigException(
                "no such shell: shell=" + name + "; there are " + EnumText.all(Shell.class)));
  }

  /**
   * The script.
   *
   * @param root the whole command, which is changed
   */
  String completion(CommandSpec root) {
    return switch (this) {
      case BASH -> new BashCompletion(root).toString();
      case ZSH -> new ZshCompletion(root).toString();
      case FISH -> new FishCompletion(root).toString();
    };
  }
}
