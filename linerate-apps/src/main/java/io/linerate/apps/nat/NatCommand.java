package io.linerate.apps.nat;

import io.linerate.core.config.Configuration;
import io.linerate.core.config.EngineConfig;
import io.linerate.core.config.PathText;
import io.linerate.program.run.Command;
import io.linerate.program.run.Console;
import io.linerate.program.run.EngineRun;
import io.linerate.program.run.Options;
import java.nio.file.Path;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code linerate nat}. */
public final class NatCommand implements Command {
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
        It ends when its duration is over, or it is interrupted.

        CONFIG.properties  Ports, addresses and settings.
        --set --stats --json --write-drops --dashboard --dashboard-tls --dashboard-open

        linerate nat examples/nat.properties
        linerate nat examples/nat.properties --set workers=2 --set log_mappings=true
        """);
  }

  @Override
  public int run(ParseResult options, Console console) {
    Path file = PathText.parse(options.matchedPositionalValue(0, ""));
    Configuration configuration =
        Configuration.read(
            file, Options.overrides(options), EngineConfig.DEFAULT.withProgramName("nat"));
    NatProgram program = new NatProgram(configuration, Options.isJson(options), console);
    return new EngineRun(
            configuration.engine(), configuration.duration(), Options.stats(options), console)
        .dashboard(Options.dashboard(options))
        .drops(Options.drops(options))
        .run(program);
  }
}
