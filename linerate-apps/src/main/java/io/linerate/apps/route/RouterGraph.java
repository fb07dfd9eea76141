package io.linerate.apps.route;

import io.linerate.apps.middlebox.KernelAddresses;
import io.linerate.apps.middlebox.Side;
import io.linerate.apps.middlebox.SideSettings;
import io.linerate.core.config.Configuration;
import io.linerate.graph.Element;
import io.linerate.graph.GraphBuilder;
import io.linerate.graph.Node;
import io.linerate.graph.element.CheckIpv4;
import io.linerate.graph.element.CheckIpv6;
import io.linerate.graph.element.Classifier;
import io.linerate.graph.element.Discard;
import io.linerate.graph.element.Fragment;
import io.linerate.graph.element.FromPort;
import io.linerate.graph.element.IcmpError;
import io.linerate.graph.element.IcmpPingResponder;
import io.linerate.graph.element.Link;
import io.linerate.graph.element.Queue;
import io.linerate.graph.element.Reassemble;
import io.linerate.graph.element.SetSource;
import io.linerate.graph.element.Tee;
import io.linerate.graph.element.ToPort;
import io.linerate.middlebox.route.Route;
import io.linerate.middlebox.route.RouterLink;
import io.linerate.middlebox.route.RoutingTable;
import io.linerate.wire.Ipv4;
import io.linerate.wire.Ipv6;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The graph of a router: for each link what is done with what comes by it, and with what leaves by
 * it. Errors about packets that are on their way out are routed themselves, from the beginning.
 */
public final class RouterGraph {
  private static final int QUEUE_PACKETS = 4_096;
  private static final int[] VERSIONS = {Ipv4.VERSION, Ipv6.VERSION};

  private final Configuration configuration;
  private final RoutingTable table;
  private final Passage passage;
  private final List<RouterLink> links;
  private final List<Node> ends = new ArrayList<>();

  /**
   * @param passage between routes and links
   */
  public RouterGraph(Configuration configuration, RoutingTable table, Passage passage) {
    this.configuration = configuration;
    this.table = table;
    this.passage = passage;
    links = table.links();
  }

  /**
   * Adds all elements.
   *
   * @param own where errors come in, to be routed themselves
   */
  public void build(GraphBuilder g, Node own) {
    Node ownRoutes = g.add("route-own", new Route(table, 0, Route.Check.OFF, false));
    g.chain(own, ownRoutes);
    List<Node> ports = new ArrayList<>();
    for (RouterLink link : links) {
      ports.add(g.add("to-" + link.name(), new ToPort(link.name())));
      Node end = g.add(link.name(), Link.of(mac(link), addresses(link), List.of()));
      ends.add(end);
      IcmpError lost = IcmpError.unreachable(link.ipv4(), link.ipv6());
      tell(g, end.out("unreachable"), "lost-" + link.name(), lost, own);
    }
    List<Node> routes = new ArrayList<>();
    for (int i = 0; i < links.size(); i++) {
      routes.add(received(g, i, ports.get(i)));
    }
    for (int to = 0; to < links.size(); to++) {
      for (int version : VERSIONS) {
        if (!own(links.get(to), version).isEmpty()) {
          Node leave = leave(g, to, version, own);
          String output = "ipv%d-%d".formatted(version, to + 1);
          passage.own(version, to, sourced(g, ownRoutes, to, version), leave);
          for (int from = 0; from < links.size(); from++) {
            passage.forward(version, from, to, routes.get(from).out(output), leave);
          }
        }
      }
    }
    passage.ownLocal(ownRoutes.out("local"));
  }

  /** Errors from the address of the link by which they leave. */
  private Node sourced(GraphBuilder g, Node ownRoutes, int to, int version) {
    RouterLink link = links.get(to);
    String name = "ipv%d-%d".formatted(version, to + 1);
    Node source = g.add("source-" + name, new SetSource(link.ipv4(), link.ipv6(), own()));
    g.chain(ownRoutes.out(name), source);
    return source;
  }

  /** All its addresses. */
  private List<String> own() {
    return links.stream().flatMap(one -> addresses(one).stream()).map(SideSettings::host).toList();
  }

  /** A queue for errors about packets that are on their way out. */
  public static Node own(GraphBuilder g) {
    return g.add("own", Queue.dropping(QUEUE_PACKETS));
  }

  private static String own(RouterLink link, int version) {
    return version == Ipv4.VERSION ? link.ipv4() : link.ipv6();
  }

  /** The longest packet that a link of a configuration carries, in bytes. */
  public static int mtuBytes(Configuration configuration, int link) {
    int ofLink = configuration.engine().get(RouteConfiguration.LINKS).get(link).mtuBytes();
    return ofLink == 0 ? configuration.engine().mtu() : ofLink;
  }

  /**
   * That of the kernel's interface, where the link has one: it is the same host. A graph that is
   * checked only has none.
   */
  private String mac(RouterLink link) {
    Optional<String> ofHost = hasHost(link) ? HostPorts.mac(link.name()) : Optional.empty();
    return ofHost.orElseGet(() -> SideSettings.mac(configuration, link.name()));
  }

  private boolean hasHost(RouterLink link) {
    return HostPorts.has(configuration, link.name());
  }

  private List<String> addresses(RouterLink link) {
    return SideSettings.withLinkLocal(mac(link), link.addresses());
  }

  /** What comes by a link, up to its routes. */
  private Node received(GraphBuilder g, int number, Node port) {
    RouterLink link = links.get(number);
    String name = link.name();
    Node end = ends.get(number);
    Route.Check check =
        passage.check(number, configuration.engine().get(RouteConfiguration.REVERSE_PATH));
    Node route = g.add("route-" + name, new Route(table, number, check, true));
    List<String> announced =
        Side.announce(g, port, name, mac(link), link.addresses(), passage.addressesOn(number));
    Node from = g.add("from-" + name, new FromPort(name));
    for (Map.Entry<String, Element> server : passage.servers(number).entrySet()) {
      Node node = g.add(server.getKey() + "-" + name, server.getValue());
      g.chain(from, node);
      g.chain(node, port);
      from = node.out("rest");
    }
    Node host = null;
    if (hasHost(link)) {
      host = host(g, name, from, end, port);
    } else {
      KernelAddresses.warn(configuration, name, announced);
      g.chain(from, end);
      g.chain(end.out("rest"), g.add("others-" + name, new Discard()));
    }
    passage.local(number, route.out("local"), host);
    g.chain(end, port);
    List<String> own = own();
    Node ping = g.add("ping-" + name, new IcmpPingResponder(own));
    Node whole = ping;
    if (passage.needsWholePackets()) {
      whole = g.add("whole-" + name, new Reassemble());
      g.chain(whole, ping);
    }
    if (!link.ipv4().isEmpty()) {
      List<String> own4 = Stream.concat(ipv4(own), passage.addresses().stream()).toList();
      g.chain(end.out("ip"), g.add("sound-" + name, new CheckIpv4(own4)), whole);
    }
    if (!link.ipv6().isEmpty()) {
      List<String> own6 = own.stream().filter(address -> address.indexOf(':') >= 0).toList();
      g.chain(end.out("ip6"), g.add("sound6-" + name, new CheckIpv6(own6)), whole);
    }
    g.chain(ping, port);
    g.chain(ping.out("rest"), route);
    String ipv4 = link.ipv4();
    String ipv6 = link.ipv6();
    tell(g, route.out("expired"), "expired-" + name, IcmpError.timeExceeded(ipv4, ipv6), port);
    tell(g, route.out("unreachable"), "noroute-" + name, IcmpError.unreachable(ipv4, ipv6), port);
    tell(g, route.out("prohibited"), "refused-" + name, IcmpError.prohibited(ipv4, ipv6), port);
    return route;
  }

  private static Stream<String> ipv4(List<String> addresses) {
    return addresses.stream().filter(address -> address.indexOf(':') < 0);
  }

  /**
   * The kernel has a part of the link: what is for the router itself, to all or to a group, and
   * what neighbors say; what it sends leaves as it is.
   *
   * @return where packets go to the kernel
   */
  private static Node host(GraphBuilder g, String name, Node from, Node end, Node port) {
    Node toHost = g.add("to-host-" + name, new ToPort(HostPorts.name(name)));
    Node kind =
        g.add(
            "news-" + name,
            Classifier.of(
                "arp 12/0806", "asked 12/86dd 20/3a 54/87", "told 12/86dd 20/3a 54/88", "rest -"));
    Node both = g.add("both-" + name, new Tee(1));
    g.chain(from, kind);
    for (String news : List.of("arp", "asked", "told")) {
      g.chain(kind.out(news), both);
    }
    g.chain(both.out("out"), end);
    g.chain(both.out("copy1"), toHost);
    g.chain(kind.out("rest"), end);
    g.chain(end.out("rest"), toHost);
    g.chain(g.add("from-host-" + name, new FromPort(HostPorts.name(name))), port);
    return toHost;
  }

  private static void tell(GraphBuilder g, Node from, String name, IcmpError error, Node to) {
    g.chain(from, g.add(name, error), to);
  }

  /** Where packets leave by a link, whoever has routed them. */
  private Node leave(GraphBuilder g, int number, int version, Node own) {
    RouterLink link = links.get(number);
    String name = link.name();
    int mtu = mtuBytes(configuration, number);
    Node end = ends.get(number);
    String suffix = version == Ipv4.VERSION ? "-" : "6-";
    Node cut = g.add("cut" + suffix + name, new Fragment(mtu));
    Node tooBig = g.add("toobig" + suffix + name, IcmpError.tooBig(mtu, link.ipv4(), link.ipv6()));
    g.chain(cut, end.in(version == Ipv4.VERSION ? "via" : "via6"));
    g.chain(cut.out("toobig"), tooBig, own);
    return cut;
  }
}
