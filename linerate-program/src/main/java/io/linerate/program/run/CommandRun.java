package io.linerate.program.run;

import io.linerate.core.config.ConfigException;
import io.linerate.core.config.NearestWord;
import io.linerate.core.log.ProgramLog;
import io.linerate.core.port.PortException;
import io.linerate.core.worker.StopSignal;
import io.linerate.graph.GraphException;
import java.io.UncheckedIOException;
import java.util.Set;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Does what a command line asks for: help, the version, or the command. Whatever is wrong is one
 * sentence on the console, and an {@link ExitStatus}.
 */
public record CommandRun(CommandSpec spec, Console console) {
  /**
   * Runs the program of this process, and ends the process with its exit status.
   *
   * @param name of the program, before each line that it says
   * @param program returns the exit status
   */
  public static void main(String name, ToIntFunction<Console> program) {
    Console console = Console.ofProcess(name);
    ProgramLog.current().ifPresent(log -> log.printer(console::log));
    int status = program.applyAsInt(console);
    StopSignal.exit(console.out().checkError() ? Math.max(status, ExitStatus.FAILED) : status);
  }

  /**
   * Does it.
   *
   * @param command given the options, those of the subcommand if there is one; returns the exit
   *     status
   */
  public int run(String[] arguments, ToIntFunction<ParseResult> command) {
    CommandLine line = new CommandLine(spec);
    try {
      ParseResult result = line.parseArgs(arguments);
      if (isAnswered(result)) {
        return ExitStatus.DONE;
      }
      if (!spec.subcommands().isEmpty() && !result.hasSubcommand()) {
        line.usage(console.err());
        return ExitStatus.WRONG_USAGE;
      }
      return command.applyAsInt(result.hasSubcommand() ? result.subcommand() : result);
    } catch (ParameterException e) {
      return wrongUsage(e);
    } catch (ConfigException | GraphException e) { // What was asked for does not go together.
      console.say(String.valueOf(e.getMessage()));
      return ExitStatus.WRONG_USAGE;
    } catch (CommandException | PortException | UncheckedIOException e) {
      console.say(String.valueOf(e.getMessage()));
      return ExitStatus.FAILED;
    } catch (RuntimeException | Error e) {
      console.say("a bug in " + console.name() + ": " + e + "; report it with the lines below");
      console.trace(e);
      return ExitStatus.FAILED;
    }
  }

  /** Shows help or the version, if that was asked for. */
  private boolean isAnswered(ParseResult result) {
    for (CommandLine line : result.asCommandLineList()) {
      if (line.isUsageHelpRequested()) {
        line.usage(console.out(), CommandLine.Help.Ansi.AUTO);
        return true;
      }
      if (line.isVersionHelpRequested()) {
        line.printVersionHelp(console.out());
        return true;
      }
    }
    return false;
  }

  private int wrongUsage(ParameterException error) {
    CommandLine where = error.getCommandLine();
    String help = "see " + where.getCommandSpec().qualifiedName() + " --help";
    console.say(
        error instanceof UnmatchedArgumentException unmatched
            ? unmatched(unmatched, where, help)
            : String.valueOf(error.getMessage()).lines().findFirst().orElse("wrong usage")
                + "; "
                + help);
    return ExitStatus.WRONG_USAGE;
  }

  private String unmatched(UnmatchedArgumentException error, CommandLine where, String help) {
    boolean isCommand = where.getParent() == null && !spec.subcommands().isEmpty();
    String word = error.getUnmatched().getFirst();
    String kind = isCommand ? "command" : word.startsWith("-") ? "option" : "argument";
    Set<String> words =
        isCommand ? where.getSubcommands().keySet() : where.getCommandSpec().optionsMap().keySet();
    String suggestion =
        Stream.concat(
                NearestWord.to(word.split("=", 2)[0], words).stream(),
                error.getSuggestions().stream())
            .findFirst()
            .map("did you mean %s?"::formatted)
            .orElse(help);
    return "no such %s: %s=%s; %s"
        .formatted(kind, kind.equals("argument") ? "text" : "name", word, suggestion);
  }
}
