package io.linerate.apps;

import io.linerate.apps.balance.BalanceCommand;
import io.linerate.apps.capture.CaptureCommand;
import io.linerate.apps.ctl.CtlCommand;
import io.linerate.apps.dashboard.DashboardCommand;
import io.linerate.apps.decode.DecodeCommand;
import io.linerate.apps.decode.FollowCommand;
import io.linerate.apps.doctor.DoctorCommand;
import io.linerate.apps.fabric.FabricCommand;
import io.linerate.apps.firewall.FirewallCommand;
import io.linerate.apps.flows.FlowsCommand;
import io.linerate.apps.gateway.GatewayCommand;
import io.linerate.apps.generate.GenerateCommand;
import io.linerate.apps.measure.MeasureCommand;
import io.linerate.apps.nat.NatCommand;
import io.linerate.apps.route.RouteCommand;
import io.linerate.apps.shell.CompletionCommand;
import io.linerate.apps.shell.HelpCommand;
import io.linerate.apps.shell.ManCommand;
import io.linerate.apps.shell.VersionCommand;
import io.linerate.apps.stats.StatsCommand;
import io.linerate.apps.top.TopCommand;
import io.linerate.apps.transfer.ReceiveCommand;
import io.linerate.apps.transfer.SendCommand;
import io.linerate.program.run.Command;
import io.linerate.program.run.CommandRun;
import io.linerate.program.run.Console;
import io.linerate.program.run.Options;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import picocli.CommandLine.Model.CommandSpec;

/**
 * The {@code linerate} command.
 *
 * <p>It ends with an {@link io.linerate.program.run.ExitStatus}. Each error is one sentence on
 * standard error.
 */
public final class Main {
  private final Map<String, Supplier<Command>> commands = new LinkedHashMap<>();
  private final Console console;

  Main(Console console) {
    this.console = console;
    commands.put("capture", CaptureCommand::new);
    commands.put("decode", DecodeCommand::new);
    commands.put("follow", FollowCommand::new);
    commands.put("flows", FlowsCommand::new);
    commands.put("firewall", FirewallCommand::new);
    commands.put("nat", NatCommand::new);
    commands.put("balance", BalanceCommand::new);
    commands.put("route", RouteCommand::new);
    commands.put("gateway", GatewayCommand::new);
    commands.put("send", SendCommand::new);
    commands.put("receive", ReceiveCommand::new);
    commands.put("fabric", FabricCommand::new);
    commands.put("generate", GenerateCommand::new);
    commands.put("measure", MeasureCommand::new);
    commands.put("ctl", CtlCommand::new);
    commands.put("stats", StatsCommand::new);
    commands.put("top", TopCommand::new);
    commands.put("dashboard", DashboardCommand::new);
    commands.put("doctor", DoctorCommand::new);
    commands.put("completion", () -> new CompletionCommand(this::all));
    commands.put("man", () -> new ManCommand(this::all));
    commands.put("help", () -> new HelpCommand(this::all));
    commands.put("version", VersionCommand::new);
  }

  public static void main(String[] arguments) {
    CommandRun.main("linerate", console -> new Main(console).run(arguments));
  }

  /** Runs the command that the arguments name, and returns the exit status. */
  int run(String... arguments) {
    Map<String, Command> made = new LinkedHashMap<>();
    return new CommandRun(spec(arguments, made), console)
        .run(
            arguments,
            options ->
                Objects.requireNonNull(made.get(options.commandSpec().name()))
                    .run(options, console));
  }

  /** The whole command. */
  private CommandSpec all() {
    return spec(new String[0], new LinkedHashMap<>());
  }

  /** Describes the command that is asked for only, to start sooner; for help and errors, all. */
  private CommandSpec spec(String[] arguments, Map<String, Command> made) {
    CommandSpec root = Options.withHelp(CommandSpec.create().name("linerate"));
    root.usageMessage()
        .header("Packet processing at line rate, in Java.")
        .customSynopsis("Usage: linerate COMMAND [OPTIONS]")
        .synopsisHeading("")
        .optionListHeading("%n")
        .commandListHeading("%nCommands:%n")
        .footerHeading("%n")
        .footer(
            "linerate help COMMAND tells more about a command.",
            "Exit status: 0 done, 1 failed, 2 wrong options or configuration.");
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
}
