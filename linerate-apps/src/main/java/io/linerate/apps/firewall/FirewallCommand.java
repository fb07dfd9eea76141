package io.linerate.apps.firewall;

import io.linerate.apps.ConnectionSettings;
import io.linerate.apps.middlebox.GraphProgram;
import io.linerate.apps.middlebox.RuleCheck;
import io.linerate.apps.standby.StandbyOption;
import io.linerate.core.config.ConfigException;
import io.linerate.core.config.Configuration;
import io.linerate.dashboard.control.ConfigurationControl;
import io.linerate.middlebox.firewall.RuleBook;
import io.linerate.middlebox.rule.Direction;
import io.linerate.middlebox.rule.RuleAction;
import io.linerate.middlebox.rule.RuleSet;
import io.linerate.program.run.Command;
import io.linerate.program.run.Console;
import io.linerate.program.run.EngineRun;
import io.linerate.program.run.Options;
import io.linerate.wire.EtherType;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code linerate firewall}. */
public final class FirewallCommand implements Command {
  static final String NAME = "firewall";

  @Override
  public CommandSpec spec() {
    return Options.command(
        NAME,
        """
        Forwards packets from each port to its peer, or drops them.

        Usage: linerate firewall CONFIG.properties [--set KEY=VALUE]... [--stats TIME] [--json]
               linerate firewall --check CONFIG.properties [--json]

        The rules file has one rule a line; the first that matches a packet decides. docs/firewall.md
        says all of each word:
          pass|drop|reject CONDITION... [log] [limit N/s [burst N] [by source|destination]]
          SOURCE[/PREFIX]                    an address alone means drop
          set NAME = VALUE, ...              for rules below, which write @NAME
          default pass|drop|reject           for what no rule matches (pass)
          nonip pass|drop [ETHERTYPE,...]    for what is not IP (drop)
          inner on|off                       whether rules are about packets in tunnels, too (off)
        Conditions: in PORT, out PORT, vlan ID, ethertype TYPE, ip, ip6, [proto] PROTOCOL,
          [from] SOURCE [port PORT], to DESTINATION [port PORT], flags S/SA, type TYPE,
          state new,established,related,invalid,untracked, name HOST.
        It ends when its files are used up, its duration is over, or it is interrupted.

        CONFIG.properties  Ports, rules file and settings.
        --check  Find mistakes, explain the rules, run nothing: status 1 if one never decides.
        --standby --set --filter --stats --json --write-drops --dashboard --dashboard-tls --dashboard-open

        linerate firewall examples/firewall.properties
        linerate firewall --check examples/firewall.properties
        linerate firewall examples/stateful.properties --standby fabric:shm:firewall
        linerate firewall examples/firewall.properties --json --set rxburst=128
        linerate firewall examples/firewall.properties --set 'ports=in=dpdk:0000:03:00.0; out=dpdk:0000:03:00.1'
        """);
  }

  @Override
  public int run(ParseResult options, Console console) {
    Configuration configuration = GraphProgram.read(options, NAME);
    List<Direction> directions = Firewall.directions(configuration);
    RuleBook rules = RuleBook.read(rules(configuration), directions, console::warn);
    warnOfArp(configuration, rules.rules(), console);
    requireCopied(configuration, rules, options);
    return StandbyOption.run(
        options,
        NAME,
        configuration,
        configuration.engine().get(ConnectionSettings.CONNECTIONS),
        console,
        turn -> run(configuration, rules, directions, turn, options, console));
  }

  private static int run(
      Configuration configuration,
      RuleBook rules,
      List<Direction> directions,
      StandbyOption.Turn turn,
      ParseResult options,
      Console console) {
    Firewall firewall =
        new Firewall(
            configuration,
            rules,
            () -> reload(configuration, GraphProgram.read(options, NAME), rules),
            turn,
            Options.isJson(options),
            console);
    EngineRun run =
        new EngineRun(
                configuration.engine(), configuration.duration(), Options.stats(options), console)
            .dashboard(Options.dashboard(options))
            .drops(Options.drops(options));
    return GraphProgram.isCheck(options)
        ? GraphProgram.check(
            firewall.usualGraph(),
            Optional.of(new RuleCheck(rules, directions)),
            Options.isJson(options),
            console)
        : run.run(firewall);
  }

  /** What a standby cannot take over is not to look as if it did. */
  private static void requireCopied(
      Configuration configuration, RuleBook rules, ParseResult options) {
    if (!StandbyOption.isWanted(options)) {
      return;
    }
    if (!rules.needs().connections()) {
      throw new ConfigException(
          "no connections that a standby could take over: rules=%s; write rules with state, or leave --standby out"
              .formatted(rules.rules().name()));
    }
    if (rules.needs().names()) {
      throw new ConfigException(
          "a standby cannot take over what connections said to be read for names: rules=%s; leave rules by name out, or --standby"
              .formatted(rules.rules().name()));
    }
    if (!configuration.engine().get(FirewallSettings.SYN_PROXY).isEmpty()) {
      throw configuration.error(
          FirewallSettings.SYN_PROXY.key(),
          "a standby cannot take over handshakes",
          "leave it out, or --standby");
    }
  }

  /** On Ethernet nobody finds a host of IPv4 without it; frames of files find theirs. */
  private static void warnOfArp(Configuration configuration, RuleSet rules, Console console) {
    boolean hasLinks =
        configuration.ports().stream().anyMatch(port -> !port.address().startsWith("pcap:"));
    boolean isSaid =
        rules.nonIp().action() == RuleAction.PASS
            || rules.rules().stream()
                .anyMatch(rule -> rule.when().etherTypes().contains(EtherType.ARP));
    if (hasLinks && !isSaid) {
      console.warn(
          "ARP is dropped, so that no hosts of IPv4 find each other: rules=%s; write nonip pass arp, or nonip drop arp if that is meant"
              .formatted(rules.name()));
    }
  }

  private static Path rules(Configuration configuration) {
    return configuration
        .engine()
        .get(FirewallSettings.RULES)
        .orElseThrow(
            () -> configuration.error("rules", "no rules", "write rules=FILE with a rules file"));
  }

  /** Takes over what a running firewall can: its rules. */
  private static ConfigurationControl.Reloaded reload(
      Configuration running, Configuration next, RuleBook book) {
    Path file = rules(next);
    book.reload(file);
    List<String> others =
        running.changes(next).stream().filter(change -> !change.startsWith("rules=")).toList();
    return new ConfigurationControl.Reloaded(List.of("rules=" + file), others);
  }
}
