package io.linerate.apps.balance;

import io.linerate.apps.ConnectionSettings;
import io.linerate.apps.middlebox.GraphProgram;
import io.linerate.apps.middlebox.Links;
import io.linerate.apps.middlebox.Side;
import io.linerate.apps.middlebox.SideSettings;
import io.linerate.apps.standby.StandbyOption;
import io.linerate.core.config.Configuration;
import io.linerate.core.config.EngineConfig;
import io.linerate.core.config.EnumText;
import io.linerate.core.config.Setting;
import io.linerate.graph.GraphBuilder;
import io.linerate.graph.Node;
import io.linerate.graph.element.IcmpError;
import io.linerate.graph.element.TcpReset;
import io.linerate.middlebox.balance.Backends;
import io.linerate.middlebox.balance.Balance;
import io.linerate.middlebox.balance.BalanceSwitch;
import io.linerate.middlebox.balance.BalancedService;
import io.linerate.middlebox.balance.HealthCheck;
import io.linerate.middlebox.balance.HealthSettings;
import io.linerate.middlebox.route.RouterLink;
import io.linerate.middlebox.route.RoutingTable;
import io.linerate.program.run.Command;
import io.linerate.program.run.Console;
import io.linerate.program.run.Options;
import io.linerate.track.TrackSettings;
import io.linerate.wire.IpProtocol;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code linerate balance}: servers on one link stand for an address on another. */
public final class BalanceCommand implements Command {
  static final String NAME = "balance";
  private static final String CLIENT = "client";
  private static final String SERVER = "server";
  private static final int ANSWERS_PER_SECOND = 10_000;

  @Override
  public CommandSpec spec() {
    return Options.command(
        NAME,
        """
        Gives connections to an address to one of several servers.

        Usage: linerate balance CONFIG.properties [--set KEY=VALUE]... [--stats TIME] [--json]
               linerate balance --check CONFIG.properties [--json]

        Between the ports client and server; a connection keeps its server (Maglev hashing).
          ports=client=ADDRESS; server=ADDRESS   client=192.0.2.2/24   server=10.0.0.1/24
          services=tcp 192.0.2.80:80 -> 10.0.0.11:8080 weight 2, 10.0.0.12:8080; ...
          mode=translated|direct   gateway=ROUTER   connections=65536   timeouts=PHASE=TIME,...
          check=tcp|http|icmp|none   check_path=/   check_interval=1s   check_fails=3
          check_passes=2   macs=CLIENT,SERVER
        With --dashboard, linerate ctl balance write balance.weight '10.0.0.11:8080 weight 0'
        lets a server end what it has; balance.add and balance.remove change the servers.

        CONFIG.properties  Ports, addresses and settings.
        --check  Find mistakes, and run nothing.
        --standby --set --filter --stats --json --write-drops --dashboard --dashboard-tls --dashboard-open

        linerate balance examples/balance.properties
        linerate balance examples/balance.properties --standby fabric:shm:balance
        linerate balance examples/balance.properties --set check=http --set check_path=/health
        """);
  }

  @Override
  public int run(ParseResult options, Console console) {
    Configuration configuration = GraphProgram.read(options, NAME);
    GraphProgram.requirePorts(configuration, CLIENT, SERVER);
    EngineConfig engine = configuration.engine();
    List<BalancedService> services = engine.get(BalanceConfiguration.SERVICES);
    if (services.isEmpty()) {
      throw configuration.error(
          "services", "no services", "write services=tcp ADDRESS:PORT -> ADDRESS:PORT, ...");
    }
    HealthSettings health = BalanceConfiguration.health(engine);
    boolean isDirect = engine.get(BalanceConfiguration.MODE) == BalanceConfiguration.Mode.DIRECT;
    if (isDirect && health.kind() == HealthSettings.Kind.NONE) {
      throw configuration.error(
          "check",
          "no health check, whose answers say where servers are (check=none, mode=direct)",
          "write check=icmp, tcp or http");
    }
    requireAsked(configuration, services, health.kind());
    RouterLink client = link(configuration, CLIENT, BalanceConfiguration.CLIENT);
    RouterLink server = link(configuration, SERVER, BalanceConfiguration.SERVER);
    RoutingTable _ = Links.table(configuration, SERVER, List.of(client, server));
    Links.addRouters(configuration, Links.table(configuration, CLIENT, List.of(client)));
    Backends backends = backends(configuration, services, health, server);
    return StandbyOption.run(
        options,
        NAME,
        configuration,
        engine.get(ConnectionSettings.CONNECTIONS),
        console,
        turn ->
            GraphProgram.run(
                configuration,
                turn.withFailures((g, workers) ->
                    balancer(g, workers, configuration, backends, health, isDirect, turn)),
                options,
                console));
  }

  private static RouterLink link(
      Configuration configuration, String name, Setting<String> setting) {
    return Links.of(configuration, name, List.of(SideSettings.required(configuration, setting)));
  }

  /** Who answers by UDP alone would be down for ever. */
  private static void requireAsked(
      Configuration configuration, List<BalancedService> services, HealthSettings.Kind check) {
    if (check != HealthSettings.Kind.TCP && check != HealthSettings.Kind.HTTP) {
      return;
    }
    Set<String> known = new HashSet<>();
    for (BalancedService service : services) {
      if (service.protocol() == IpProtocol.TCP) {
        service.backends().forEach(backend -> known.add(backend.address() + ":" + backend.port()));
      }
    }
    for (BalancedService service : services) {
      if (!service.backends().stream()
          .allMatch(backend -> known.contains(backend.address() + ":" + backend.port()))) {
        throw configuration.error(
            BalanceConfiguration.SERVICES.key(),
            "servers of UDP are asked by TCP (service=%s, check=%s)"
                .formatted(service.name(), EnumText.of(check)),
            "write check=icmp, or a service of TCP with the same servers and ports");
      }
    }
  }

  private static Backends backends(
      Configuration configuration,
      List<BalancedService> services,
      HealthSettings health,
      RouterLink link) {
    try {
      return new Backends(services, health.kind() == HealthSettings.Kind.NONE, link);
    } catch (IllegalArgumentException e) {
      throw Links.error(
          configuration, BalanceConfiguration.SERVICES.key(), String.valueOf(e.getMessage()));
    }
  }

  private static void balancer(
      GraphBuilder g,
      int workers,
      Configuration configuration,
      Backends backends,
      HealthSettings health,
      boolean isDirect,
      StandbyOption.Turn turn) {
    EngineConfig engine = configuration.engine();
    List<String> virtual =
        engine.get(BalanceConfiguration.SERVICES).stream().map(BalancedService::address).toList();
    Side client =
        new Side(
            g,
            configuration,
            CLIENT,
            List.of(SideSettings.required(configuration, BalanceConfiguration.CLIENT)),
            SideSettings.gateway(configuration),
            virtual,
            Map.of());
    Side server =
        new Side(
            g,
            configuration,
            SERVER,
            List.of(SideSettings.required(configuration, BalanceConfiguration.SERVER)),
            List.of(),
            List.of(),
            Map.of());
    Balance balance =
        new Balance(
            backends,
            isDirect ? SideSettings.mac(configuration, SERVER) : "",
            engine.get(ConnectionSettings.CONNECTIONS),
            ConnectionSettings.tracking(engine, Balance.usual(TrackSettings.DEFAULT))
                .withIsOneWay(isDirect),
            turn.handover());
    Node node = g.add("balance", balance);
    Node check = g.add("check", new HealthCheck(backends, health, server.host()));
    List<String> own = new ArrayList<>(virtual.stream().distinct().toList());
    own.add(client.host());
    own.add(server.host());
    // Servers that answer clients themselves may have this for their router.
    List<String> unsent = isDirect ? List.of(client.host(), server.host()) : own;
    Node fromServers = server.received(own, unsent);
    g.chain(fromServers, check, server.linkIn());
    long seed = turn.seed();
    client.lead(
        List.of(client.received(own, own), client.again()),
        workers,
        () -> g.add("workers-client", new BalanceSwitch(workers, false, seed)),
        node.in(CLIENT));
    server.lead(
        List.of(check.out("rest"), server.again()),
        workers,
        () -> g.add("workers-server", new BalanceSwitch(workers, true, seed)),
        node.in(SERVER));
    if (isDirect) {
      g.chain(node.out(SERVER), server.port());
    } else {
      server.leave(node.out(SERVER));
    }
    client.leave(node.out(CLIENT));
    tell(g, node, client);
    // Servers have this for their router.
    g.chain(node.out("through"), client.linkIn());
  }

  /** Clients learn at once that nobody is there. */
  private static void tell(GraphBuilder g, Node node, Side client) {
    Node reset = g.add("reset", new TcpReset(ANSWERS_PER_SECOND));
    IcmpError unreachable =
        new IcmpError(
            IcmpError.Kind.PORT_UNREACHABLE, IcmpError.DESTINATION, "", 65_535, ANSWERS_PER_SECOND);
    g.chain(node.out("refused"), reset, client.port());
    g.chain(reset.out("rest"), g.add("refused", unreachable), client.port());
  }
}
