package io.linerate.apps.gateway;

import io.linerate.apps.firewall.FirewallSettings;
import io.linerate.apps.middlebox.GraphProgram;
import io.linerate.apps.middlebox.Links;
import io.linerate.apps.nat.NatConfiguration;
import io.linerate.apps.route.KernelRouting;
import io.linerate.apps.route.RouteConfiguration;
import io.linerate.apps.route.RouterGraph;
import io.linerate.core.config.Configuration;
import io.linerate.dashboard.control.ConfigurationControl.Reloaded;
import io.linerate.graph.Element;
import io.linerate.graph.GraphBuilder;
import io.linerate.graph.Node;
import io.linerate.middlebox.firewall.RuleBook;
import io.linerate.middlebox.firewall.Tracking;
import io.linerate.middlebox.nat.NatForward;
import io.linerate.middlebox.nat.NatSettings;
import io.linerate.middlebox.route.Hop;
import io.linerate.middlebox.route.RouterLink;
import io.linerate.middlebox.route.RoutingTable;
import io.linerate.middlebox.rule.Direction;
import io.linerate.program.run.Command;
import io.linerate.program.run.Console;
import io.linerate.program.run.Options;
import io.linerate.wire.IpPrefix;
import io.linerate.wire.Ipv4Address;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code linerate gateway}: what stands at the edge of a small network. */
public final class GatewayCommand implements Command {
  static final String NAME = "gateway";

  @Override
  public CommandSpec spec() {
    return Options.command(
        NAME,
        """
        A router with a firewall, a translator of addresses and a DHCP server.

        Usage: linerate gateway CONFIG.properties [--set KEY=VALUE]... [--stats TIME] [--json]
               linerate gateway --check CONFIG.properties [--json]

        The file says what route, firewall and nat know, of links:
          ports=lan=ADDRESS; wan=ADDRESS; ...   links=lan 10.0.0.1/24; wan 192.0.2.2/24; ...
          gateway=ROUTER   routes=FILE   reverse_path=off|loose|strict   kernel_routes=true
          nat=wan      hosts of all other links share its address of IPv4
          pool=ADDRESS,...   forwards=tcp OUTSIDE:PORT INSIDE:PORT; ...   filtering=...
          rules=FILE, or rule_lines=pass state established,related; pass in lan state new; ...
          connections=65536   timeouts=PHASE=TIME,...
          dhcp=10.0.0.100-10.0.0.199   dhcp_dns=ADDRESS,...   dhcp_lease=60
        Rules see the addresses that hosts inside have themselves, in both directions.
        It ends when its duration is over, or it is interrupted.

        CONFIG.properties  Ports, addresses, rules and settings.
        --check  Find mistakes, explain the rules, run nothing: status 1 if one never decides.
        --set --filter --stats --json --write-drops --dashboard --dashboard-tls --dashboard-open

        linerate gateway examples/gateway.properties
        linerate gateway --check examples/gateway.properties
        """);
  }

  @Override
  public int run(ParseResult options, Console console) {
    Configuration configuration = GraphProgram.read(options, NAME);
    RoutingTable table = RouteConfiguration.table(configuration);
    Optional<GatewayPassage.Outside> nat = nat(configuration, table);
    Links.addRouters(configuration, table);
    nat.ifPresent(some -> requireHosts(configuration, table, some.link(), console));
    Map<String, Element> _ = GatewayPassage.dhcp(configuration, table);
    List<Direction> directions = directions(table);
    Optional<RuleBook> rules = rules(configuration, directions, console);
    if (rules.isEmpty()) {
      console.warn(
          "no rules: all that finds a route passes; write rules=FILE, or rule_lines=RULES");
    }
    Optional<Tracking> tracking =
        rules.flatMap(book -> FirewallSettings.tracking(configuration.engine(), book));
    GraphProgram.Blueprint graph =
        (g, workers) -> build(g, workers, configuration, table, rules, tracking, nat);
    Optional<GraphProgram.Rules> changing =
        rules.map(book ->
            new GraphProgram.Rules(
                book,
                directions,
                () -> reload(configuration, GraphProgram.read(options, NAME), book, console)));
    try (KernelRouting _ = KernelRouting.start(configuration, table)) {
      return GraphProgram.run(configuration, graph, changing, options, console);
    }
  }

  private static void build(
      GraphBuilder g,
      int workers,
      Configuration configuration,
      RoutingTable table,
      Optional<RuleBook> rules,
      Optional<Tracking> tracking,
      Optional<GatewayPassage.Outside> nat) {
    Node own = RouterGraph.own(g);
    GatewayPassage passage =
        new GatewayPassage(
            g,
            configuration,
            table,
            rules,
            tracking,
            nat.map(some -> some.withWorkers(workers)),
            workers,
            own);
    new RouterGraph(configuration, table, passage).build(g, own);
  }

  /** The link outside, and how it is translated there: what is for its addresses stays here. */
  private static Optional<GatewayPassage.Outside> nat(
      Configuration configuration, RoutingTable table) {
    String name = configuration.engine().get(GatewayConfiguration.NAT);
    if (name.isEmpty()) {
      return Optional.empty();
    }
    int link = table.linkNumber(name);
    if (link < 0 || table.links().get(link).ipv4().isEmpty()) {
      throw configuration.error(
          GatewayConfiguration.NAT.key(),
          "no link of this name with an address of IPv4",
          "write one of " + table.links().stream().map(RouterLink::name).toList());
    }
    NatSettings settings =
        NatConfiguration.settings(configuration, table.links().get(link).ipv4(), Optional.empty());
    NatConfiguration.require(configuration, settings);
    for (String address : settings.outside()) {
      table.put(IpPrefix.parse(address), List.of(Hop.of(Hop.Kind.LOCAL)));
    }
    return Optional.of(new GatewayPassage.Outside(link, settings));
  }

  /** Sees that forwards lead to hosts of links, or warns if no route does. */
  private static void requireHosts(
      Configuration configuration, RoutingTable table, int outside, Console console) {
    String wan = table.links().get(outside).name();
    for (NatForward forward : configuration.engine().get(NatConfiguration.FORWARDS)) {
      String host = Ipv4Address.format(forward.inside());
      int link = table.linkOf(IpPrefix.parse(host));
      if (link == outside) {
        throw configuration.error(
            NatConfiguration.FORWARDS.key(),
            "forward leads outside (%s)".formatted(forward),
            "write a host of another link than " + wan);
      }
      if (link >= 0) {
        NatConfiguration.requireHost(configuration, forward, table.links().get(link));
      } else if (!configuration.engine().get(RouteConfiguration.KERNEL_ROUTES)
          && table.route(host).matches("no route|.*dev " + wan)) {
        console.warn(
            "no route leads to the host of a forward: forward=%s; write one into routes"
                .formatted(forward));
      }
    }
  }

  /** All ways between links, back by the same one included. */
  private static List<Direction> directions(RoutingTable table) {
    List<String> names = table.links().stream().map(RouterLink::name).toList();
    return names.stream().flatMap(in -> names.stream().map(out -> new Direction(in, out))).toList();
  }

  private static Optional<RuleBook> rules(
      Configuration configuration, List<Direction> directions, Console console) {
    Optional<Path> file = configuration.engine().get(FirewallSettings.RULES);
    GatewayConfiguration.RuleLines lines =
        configuration.engine().get(GatewayConfiguration.RULE_LINES);
    if (file.isPresent() && !lines.areNone()) {
      throw configuration.error(
          GatewayConfiguration.RULE_LINES.key(), "there is a file of rules, too", "write one");
    }
    if (file.isPresent()) {
      return Optional.of(RuleBook.read(file.get(), directions, console::warn));
    }
    return lines.areNone()
        ? Optional.empty()
        : Optional.of(RuleBook.of(lines.parse(console::warn), directions));
  }

  /** Takes over what a running gateway can: its rules. */
  private static Reloaded reload(
      Configuration running, Configuration next, RuleBook book, Console console) {
    Optional<Path> file = next.engine().get(FirewallSettings.RULES);
    if (file.isPresent()) {
      book.reload(file.get());
    } else {
      book.replace(next.engine().get(GatewayConfiguration.RULE_LINES).parse(console::warn));
    }
    return new Reloaded(
        List.of("rules"),
        running.changes(next).stream()
            .filter(change -> !change.startsWith("rules=") && !change.startsWith("rule_lines="))
            .toList());
  }
}
