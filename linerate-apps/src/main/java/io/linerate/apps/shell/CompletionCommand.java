package io.linerate.apps.shell;

import io.linerate.program.run.Command;
import io.linerate.program.run.Console;
import io.linerate.program.run.ExitStatus;
import io.linerate.program.run.Options;
import java.util.function.Supplier;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code linerate completion}. */
public final class CompletionCommand implements Command {
  private final Supplier<CommandSpec> root;

  /**
   * @param root describes the whole command
   */
  public CompletionCommand(Supplier<CommandSpec> root) {
    this.root = root;
  }

  @Override
  public CommandSpec spec() {
    return Options.command(
        "completion",
        """
        Prints what a shell needs to complete commands and options.

        Usage: linerate completion bash|zsh|fish

        ./linerate link and the Debian package install it.

        bash|zsh|fish  The shell.

        source <(linerate completion bash)
        linerate completion zsh > ~/.zfunc/_linerate
        linerate completion fish > ~/.config/fish/completions/linerate.fish
        """);
  }

  @Override
  public int run(ParseResult options, Console console) {
    String name = options.matchedPositionalValue(0, "");
    console.out().print(Shell.named(name).completion(root.get()));
    return ExitStatus.DONE;
  }
}
