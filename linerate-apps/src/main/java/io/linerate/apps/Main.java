package io.linerate.apps;

import io.linerate.apps.capture.CaptureCommand;
import io.linerate.apps.ctl.CtlCommand;
import io.linerate.apps.dashboard.DashboardCommand;
import io.linerate.apps.doctor.DoctorCommand;
import io.linerate.apps.firewall.FirewallCommand;
import io.linerate.apps.generate.GenerateCommand;
import io.linerate.apps.measure.MeasureCommand;
import io.linerate.apps.run.Command;
import io.linerate.apps.run.Console;
import io.linerate.apps.run.ResultOutput;
import io.linerate.apps.stats.StatsCommand;
import io.linerate.apps.top.TopCommand;
import io.linerate.core.config.ConfigException;
import io.linerate.core.counter.ProgramInfo;
import io.linerate.core.log.ProgramLog;
import io.linerate.core.port.PortException;
import io.linerate.core.worker.StopSignal;
import io.linerate.graph.GraphException;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The {@code linerate} command.
 *
 * <p>Exit status: 0 done, 1 failed or the result could not be written, 2 wrong options or
 * configuration. Each error is one sentence on standard error.
 */
public final class Main {
  private static final int FAILED = 1;
  private static final int WRONG_USAGE = 2;

  private final Map<String, Supplier<Command>> commands = new LinkedHashMap<>();
  private final Console console;

  Main(Console console) {
    this.console = console;
    commands.put("capture", CaptureCommand::new);
    commands.put("firewall", FirewallCommand::new);
    commands.put("generate", GenerateCommand::new);
    commands.put("measure", MeasureCommand::new);
    commands.put("ctl", CtlCommand::new);
    commands.put("stats", StatsCommand::new);
    commands.put("top", TopCommand::new);
    commands.put("dashboard", DashboardCommand::new);
    commands.put("doctor", DoctorCommand::new);
  }

  public static void main(String[] arguments) {
    PrintStream err =
        new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
    PrintStream out = results(new Console(err, err));
    Console console = new Console(out, err);
    ProgramLog.current().ifPresent(log -> log.printer(console::log));
    int status = new Main(console).run(arguments);
    StopSignal.exit(out.checkError() ? Math.max(status, FAILED) : status);
  }

  private static PrintStream results(Console errors) {
    ResultOutput output = new ResultOutput(new FileOutputStream(FileDescriptor.out), errors::say);
    return new PrintStream(new BufferedOutputStream(output), false, StandardCharsets.UTF_8);
  }

  /** Runs the command that the arguments name, and returns the exit status. */
  int run(String... arguments) {
    Map<String, Command> made = new LinkedHashMap<>();
    CommandLine line = new CommandLine(spec(arguments, made));
    try {
      ParseResult result = line.parseArgs(arguments);
      if (helped(result)) {
        return 0;
      }
      if (!result.hasSubcommand()) {
        line.usage(console.err());
        return WRONG_USAGE;
      }
      ParseResult options = result.subcommand();
      Command command = made.get(options.commandSpec().name());
      return command == null ? WRONG_USAGE : command.run(options, console);
    } catch (ParameterException e) {
      return wrongUsage(e);
    } catch (ConfigException | GraphException e) { // What was asked for does not go together.
      console.say(String.valueOf(e.getMessage()));
      return WRONG_USAGE;
    } catch (PortException e) {
      console.say(String.valueOf(e.getMessage()));
      return FAILED;
    } catch (RuntimeException | Error e) {
      console.say("a bug in linerate: " + e + "; report it with the lines below");
      e.printStackTrace(console.err());
      return FAILED;
    }
  }

  /** Shows help or the version, if that was asked for. */
  private boolean helped(ParseResult result) {
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

  /** Describes the command that is asked for only, to start sooner; for help and errors, all. */
  private CommandSpec spec(String[] arguments, Map<String, Command> made) {
    CommandSpec root =
        CommandSpec.create()
            .name("linerate")
            .version("linerate " + ProgramInfo.VERSION)
            .addOption(
                OptionSpec.builder("-h", "--help")
                    .usageHelp(true)
                    .description("Show this help.")
                    .build())
            .addOption(
                OptionSpec.builder("-V", "--version")
                    .versionHelp(true)
                    .description("Show the version.")
                    .build());
    root.usageMessage()
        .header("Packet processing at line rate, in Java.")
        .customSynopsis("Usage: linerate COMMAND [OPTIONS]")
        .synopsisHeading("")
        .optionListHeading("%n")
        .commandListHeading("%nCommands:%n")
        .footerHeading("%n")
        .footer("linerate COMMAND --help tells more about a command.");
    List<String> wanted =
        arguments.length > 0 && commands.containsKey(arguments[0])
            ? List.of(arguments[0])
            : List.copyOf(commands.keySet());
    commands.forEach((name, supplier) -> {
      if (wanted.contains(name)) {
        Command command = supplier.get();
        made.put(name, command);
        root.addSubcommand(name, command.spec());
      }
    });
    return root;
  }

  private int wrongUsage(ParameterException error) {
    CommandLine where = error.getCommandLine();
    String message =
        error instanceof UnmatchedArgumentException unmatched && where.getParent() == null
            ? "no such command: name=" + unmatched.getUnmatched().getFirst()
            : String.valueOf(error.getMessage()).lines().findFirst().orElse("wrong usage");
    String suggestion =
        error instanceof UnmatchedArgumentException unmatched
                && !unmatched.getSuggestions().isEmpty()
            ? "did you mean " + unmatched.getSuggestions().getFirst() + "?"
            : "see " + where.getCommandSpec().qualifiedName() + " --help";
    console.say(message + "; " + suggestion);
    return WRONG_USAGE;
  }
}
