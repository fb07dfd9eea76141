package io.linerate.program.run;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/**
 * A subcommand. Its options are described by hand: annotations, which picocli finds by reflection,
 * cost a tenth of a second at each start.
 */
public interface Command {
  CommandSpec spec();

  /**
   * Does it.
   *
   * @return the {@link ExitStatus}
   * @throws io.linerate.core.config.ConfigException for what the user must ask for in another way
   * @throws CommandException for what could not be done
   */
  int run(ParseResult options, Console console);
}
