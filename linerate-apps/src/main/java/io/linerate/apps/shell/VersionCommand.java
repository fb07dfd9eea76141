package io.linerate.apps.shell;

import io.linerate.core.counter.ProgramInfo;
import io.linerate.program.run.Command;
import io.linerate.program.run.Console;
import io.linerate.program.run.ExitStatus;
import io.linerate.program.run.Options;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code linerate version}. */
public final class VersionCommand implements Command {
  @Override
  public CommandSpec spec() {
    return Options.command(
        "version",
        """
        Prints the version.

        Usage: linerate version

        The same as linerate --version.



        linerate version
        """);
  }

  @Override
  public int run(ParseResult options, Console console) {
    console.out().println("linerate " + ProgramInfo.VERSION);
    return ExitStatus.DONE;
  }
}
