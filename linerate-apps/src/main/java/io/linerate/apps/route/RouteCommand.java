package io.linerate.apps.route;

import io.linerate.apps.middlebox.GraphProgram;
import io.linerate.core.config.Configuration;
import io.linerate.middlebox.route.RoutingTable;
import io.linerate.program.run.Command;
import io.linerate.program.run.Console;
import io.linerate.program.run.Options;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code linerate route}. */
public final class RouteCommand implements Command {
  static final String NAME = "route";

  @Override
  public CommandSpec spec() {
    return Options.command(
        NAME,
        """
        Routes packets of IPv4 and IPv6 between links.

        Usage: linerate route CONFIG.properties [--set KEY=VALUE]... [--stats TIME] [--json]
               linerate route --check CONFIG.properties [--json]

        By the longest prefix, over several next hops of equal cost. The file says
          ports=lan=ADDRESS; wan=ADDRESS; ...   routes=FILE   reverse_path=off|loose|strict
          links=lan 10.0.0.1/24 fd00:1::1/64; wan 192.0.2.2/24 mtu 1400; ...   macs=LAN,WAN,...
          kernel_routes=true    what the kernel's main table has, from a routing daemon
          ports=...; lan-host=tap:lan    the kernel's end of a link, for that daemon
        and the routes file has lines as ip route writes them:
          default via 192.0.2.254
          198.51.100.0/24 via 10.0.0.9 dev lan
          2001:db8::/32 nexthop via fd00:1::9 dev lan nexthop via fe80::1 dev wan weight 2
          blackhole|unreachable|prohibit 203.0.113.0/24
        With --dashboard, linerate ctl route write route-lan.add 'ROUTE' and route-lan.remove 'PREFIX'.

        CONFIG.properties  Ports, addresses and settings.
        --check  Find mistakes, and run nothing.
        --set --filter --stats --json --write-drops --dashboard --dashboard-tls --dashboard-open

        linerate route examples/route.properties
        linerate route examples/route.properties --set reverse_path=strict
        """);
  }

  @Override
  public int run(ParseResult options, Console console) {
    Configuration configuration = GraphProgram.read(options, NAME);
    RoutingTable table = RouteConfiguration.table(configuration);
    try (KernelRouting _ = KernelRouting.start(configuration, table)) {
      return GraphProgram.run(
          configuration,
          (g, workers) ->
              new RouterGraph(configuration, table, new Passage(g)).build(g, RouterGraph.own(g)),
          options,
          console);
    }
  }
}
