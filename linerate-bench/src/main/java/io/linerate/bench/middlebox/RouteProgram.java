package io.linerate.bench.middlebox;

import io.linerate.graph.GraphBuilder;
import io.linerate.graph.Node;
import io.linerate.graph.element.FromPort;
import io.linerate.graph.element.ToPort;
import io.linerate.middlebox.route.Hop;
import io.linerate.middlebox.route.Route;
import io.linerate.middlebox.route.RouterLink;
import io.linerate.middlebox.route.RoutingTable;
import io.linerate.wire.IpPrefix;
import io.linerate.wire.Ipv6Address;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * A program under measurement: routes packets from a port to another one. Arguments: a file of
 * {@link RouteTables} lines, and those of {@link BoxProgram}.
 */
public final class RouteProgram {
  private static final RouterLink LINK =
      new RouterLink("out", List.of("198.18.0.1/15", "fd00::1/64"));

  private static final int FIRST_HOP = 0xC612_0100;
  private static final Ipv6Address FIRST_HOP6 = Ipv6Address.parse("fd00::100");

  private RouteProgram() {}

  public static void main(String[] arguments) throws IOException {
    RoutingTable table = table(Path.of(arguments[0]));
    BoxProgram.run(arguments, "", graph -> router(graph, table));
  }

  private static RoutingTable table(Path file) throws IOException {
    RoutingTable table = new RoutingTable(List.of(LINK));
    try (Stream<String> lines = Files.lines(file)) {
      lines.forEach(line -> {
        int blank = line.indexOf(' ');
        IpPrefix prefix = IpPrefix.parse(line.substring(0, blank));
        int hop = Integer.parseInt(line.substring(blank + 1));
        table.put(prefix, List.of(hop(prefix.version(), hop)));
      });
    }
    return table;
  }

  private static Hop hop(int ipVersion, int number) {
    return ipVersion == 4
        ? Hop.via(0, FIRST_HOP + number)
        : Hop.via(0, new Ipv6Address(FIRST_HOP6.high(), FIRST_HOP6.low() + number));
  }

  private static void router(GraphBuilder g, RoutingTable table) {
    Node route = g.add("route", new Route(table, 0, Route.Check.OFF, true));
    Node out = g.add("out", new ToPort(BoxProgram.OUT));
    g.chain(g.add("in", new FromPort(BoxProgram.IN)), route);
    g.chain(route.out("ipv4-1"), g.add("hops4", new HopAddresses(5)), out);
    g.chain(route.out("ipv6-1"), g.add("hops6", new HopAddresses(9)), out);
  }
}
