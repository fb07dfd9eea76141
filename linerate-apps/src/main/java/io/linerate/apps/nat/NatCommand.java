package io.linerate.apps.nat;

import io.linerate.apps.middlebox.GraphProgram;
import io.linerate.apps.middlebox.Side;
import io.linerate.apps.middlebox.SideSettings;
import io.linerate.core.config.Configuration;
import io.linerate.graph.GraphBuilder;
import io.linerate.graph.Node;
import io.linerate.graph.element.IcmpError;
import io.linerate.middlebox.nat.Nat;
import io.linerate.middlebox.nat.NatSettings;
import io.linerate.middlebox.nat.NatSwitch;
import io.linerate.program.run.Command;
import io.linerate.program.run.Console;
import io.linerate.program.run.Options;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code linerate nat}: a router between two links that translates the addresses of one. */
public final class NatCommand implements Command {
  private static final String INSIDE = "inside";
  private static final String OUTSIDE = "outside";

  @Override
  public CommandSpec spec() {
    return Options.command(
        "nat",
        """
        Lets hosts behind it share addresses of IPv4 (NAPT44).

        Usage: linerate nat CONFIG.properties [--set KEY=VALUE]... [--stats TIME] [--json]

        A router between the ports inside and outside, which gives what leaves an address and
        a port of its own there, and what comes back those that it had. The file says
          ports=inside=ADDRESS; outside=ADDRESS   inside=10.0.0.1/24   outside=192.0.2.2/24
          gateway=ROUTER   pool=ADDRESS,...   pool_ports=1024-65535   host_ports=65535
          forwards=tcp OUTSIDE:PORT INSIDE:PORT; ...   connections=65536   timeouts=PHASE=TIME,...
          filtering=endpoint-independent|address-dependent|address-and-port-dependent
          hairpinning=true   log_mappings=false   macs=INSIDE,OUTSIDE
          dhcp=10.0.0.100-10.0.0.199   dhcp_dns=ADDRESS,...   dhcp_lease=60
        It ends when its duration is over, or it is interrupted.

        CONFIG.properties  Ports, addresses and settings.
        --set --stats --json --write-drops --dashboard --dashboard-tls --dashboard-open

        linerate nat examples/nat.properties
        linerate nat examples/nat.properties --set workers=2 --set log_mappings=true
        """);
  }

  @Override
  public int run(ParseResult options, Console console) {
    Configuration configuration = GraphProgram.read(options, "nat");
    GraphProgram.requirePorts(configuration, INSIDE, OUTSIDE);
    NatSettings settings =
        NatConfiguration.settings(
            configuration,
            SideSettings.host(SideSettings.required(configuration, NatConfiguration.OUTSIDE)));
    return GraphProgram.run(
        configuration,
        (g, workers) -> translator(g, configuration, settings.withWorkers(workers)),
        options,
        console);
  }

  private static void translator(
      GraphBuilder g, Configuration configuration, NatSettings settings) {
    Side inside =
        new Side(
            g,
            configuration,
            INSIDE,
            SideSettings.required(configuration, NatConfiguration.INSIDE),
            List.of(),
            List.of(),
            NatConfiguration.dhcp(
                configuration,
                INSIDE,
                SideSettings.required(configuration, NatConfiguration.INSIDE)));
    Side outside =
        new Side(
            g,
            configuration,
            OUTSIDE,
            SideSettings.required(configuration, NatConfiguration.OUTSIDE),
            SideSettings.gateway(configuration),
            settings.outside(),
            Map.of());
    Node nat = g.add("nat", new Nat(settings));
    lead(g, settings, INSIDE, inside, inside, outside, nat);
    lead(g, settings, OUTSIDE, outside, inside, outside, nat);
    g.chain(nat.out("hairpin"), outside.again());
    g.chain(
        nat.out("refused"),
        g.add("refused", IcmpError.prohibited(inside.host(), "")),
        inside.port());
    inside.leave(nat.out(INSIDE));
    outside.leave(nat.out(OUTSIDE));
  }

  /** To the worker that knows the host, or has given out the port. */
  private static void lead(
      GraphBuilder g,
      NatSettings settings,
      String name,
      Side side,
      Side inside,
      Side outside,
      Node nat) {
    side.lead(
        side.received(inside.host(), outside.host()),
        settings.workers(),
        () -> g.add("workers-" + name, new NatSwitch(settings, name.equals(OUTSIDE))),
        nat.in(name));
  }
}
