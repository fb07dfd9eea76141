package io.linerate.apps.nat;

import io.linerate.apps.ConnectionSettings;
import io.linerate.apps.middlebox.GraphProgram;
import io.linerate.apps.standby.StandbyOption;
import io.linerate.core.config.Configuration;
import io.linerate.program.run.Command;
import io.linerate.program.run.Console;
import io.linerate.program.run.Options;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code linerate nat}: a router between two links that translates the addresses of one. */
public final class NatCommand implements Command {
  static final String NAME = "nat";

  @Override
  public CommandSpec spec() {
    return Options.command(
        NAME,
        """
        Lets hosts behind it share addresses of IPv4 (NAPT44, NAT64), or change prefixes (NPTv6).

        Usage: linerate nat CONFIG.properties [--set KEY=VALUE]... [--stats TIME] [--json]
               linerate nat --check CONFIG.properties [--json]

        A router between the ports inside and outside, which gives what leaves an address and
        a port of its own there, and what comes back those that it had. The file says
          ports=inside=ADDRESS; outside=ADDRESS   gateway=ROUTER [ROUTER]
          inside=10.0.0.1/24 fd00::1/64           outside=192.0.2.2/24 2001:db8::2/64
          nat64=64:ff9b::/96   npt=INSIDE-PREFIX OUTSIDE-PREFIX; ...
          pool=ADDRESS,...   pool_ports=1024-65535   host_ports=65535
          forwards=tcp OUTSIDE:PORT INSIDE:PORT; ...   connections=65536   timeouts=PHASE=TIME,...
          filtering=endpoint-independent|address-dependent|address-and-port-dependent
          hairpinning=true   log_mappings=false   macs=INSIDE,OUTSIDE
          dhcp=10.0.0.100-10.0.0.199   dhcp_dns=ADDRESS,...   dhcp_lease=60
        It ends when its duration is over, or it is interrupted.

        CONFIG.properties  Ports, addresses and settings.
        --check  Find mistakes, and run nothing.
        --standby --set --filter --stats --json --write-drops --dashboard --dashboard-tls --dashboard-open

        linerate nat examples/nat.properties
        linerate nat examples/nat.properties --standby fabric:shm:nat
        linerate nat examples/nat.properties --set workers=2 --set log_mappings=true
        """);
  }

  @Override
  public int run(ParseResult options, Console console) {
    Configuration configuration = GraphProgram.read(options, NAME);
    GraphProgram.requirePorts(configuration, NatGraph.INSIDE, NatGraph.OUTSIDE);
    NatGraph graph = new NatGraph(configuration);
    return StandbyOption.run(
        options,
        NAME,
        configuration,
        configuration.engine().get(ConnectionSettings.CONNECTIONS),
        console,
        turn ->
            GraphProgram.run(
                configuration,
                turn.withFailures((g, workers) -> graph.build(g, workers, turn.handover())),
                options,
                console));
  }
}
