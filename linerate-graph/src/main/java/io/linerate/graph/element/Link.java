package io.linerate.graph.element;

import io.linerate.core.config.ConfigException;
import io.linerate.graph.Graph;
import io.linerate.graph.GraphBuilder;
import io.linerate.graph.Node;
import java.util.ArrayList;
import java.util.List;

/**
 * A host's or router's end of a link, as a graph to be put into others: it answers those who ask
 * for its addresses, by ARP and neighbor discovery, and gives packets that are to leave by the link
 * the Ethernet addresses of their next hops, which it asks for. ArpResponder, ArpQuerier and
 * NeighborDiscovery say how; NeighborDiscovery says what it does not do.
 *
 * <pre>
 * inputs      in: frames from the port
 *             ip, ip6: packets to send, in frames whose addresses are written
 *             via, via6: the same, with their next hops in place of these addresses: see inputs via
 *             of ArpQuerier and NeighborDiscovery
 * outputs     out: frames for the port
 *             ip, ip6: frames of IPv4 and IPv6 that are sent to its Ethernet address alone, as they
 *             came
 *             rest: all others but ARP and messages of neighbor discovery: to all or to a group,
 *             to other stations, with tags, of other types
 *             unreachable (may be left unconnected: such packets are dropped): packets to send
 *             whose next hop there is not or does not answer, as they came, for IcmpError
 * parameters  mac: its own, such as 02:00:5e:10:00:01
 *             addresses: its own, with the prefixes of the link: one of IPv4, such as
 *             192.0.2.1/24, or none, and any number of IPv6, of which the first is the source of
 *             solicitations: fe80::5eff:fe10:1/64. Without one of a version there is neither input
 *             nor output for it, and its packets are among the rest
 *             routers: where packets go that are to leave the link: none, one of IPv4, one of IPv6
 *             or both
 * elements    kind, a Classifier; with IPv4 responder, an ArpResponder, and arp, an ArpQuerier;
 *             with IPv6 nd, a NeighborDiscovery
 * example     Node left = g.add("left", Link.of("02:00:5e:10:00:01", "192.0.2.1/24"));
 *             g.chain(g.add("from", new FromPort("eth0")), left, g.add("to", new ToPort("eth0")));
 *             g.chain(left.out("ip"), g.add("ttl", new DecrementTtl()), right.in("ip"));
 *             g.chain(left.out("rest"), g.add("others", new Discard()));
 *             runner.read("left/arp.table")
 * </pre>
 */
public final class Link {
  private static final String IPV4 = " 12/0800";
  private static final String IPV6 = " 12/86dd";

  private Link() {}

  /** Without routers: the end of a router, which has a link for each way. */
  public static Graph of(String mac, String... addresses) {
    return of(mac, List.of(addresses), List.of());
  }

  /**
   * The end of a host that has routers.
   *
   * @throws ConfigException if there is no address, or several of a kind of which there may be one;
   *     what else is wrong is said when the graph around it is checked
   */
  public static Graph of(String mac, List<String> addresses, List<String> routers) {
    List<String> addresses4 = addresses.stream().filter(text -> !AddressSet.isIpv6(text)).toList();
    List<String> addresses6 = addresses.stream().filter(AddressSet::isIpv6).toList();
    String router4 = one(routers.stream().filter(text -> !AddressSet.isIpv6(text)).toList());
    String router6 = one(routers.stream().filter(AddressSet::isIpv6).toList());
    String address4 = one(addresses4);
    if (addresses.isEmpty()) {
      throw new ConfigException(
          "no address of a link: addresses=; write one with its prefix, such as 192.0.2.1/24");
    }
    return Graph.of(g -> {
      Node kind = g.add("kind", kinds(mac, !address4.isEmpty(), !addresses6.isEmpty()));
      g.chain(g.input("in"), kind);
      if (!address4.isEmpty()) {
        ipv4(g, kind, mac, new ArpQuerier(mac, address4, router4));
      }
      if (!addresses6.isEmpty()) {
        ipv6(g, kind, new NeighborDiscovery(mac, addresses6, router6, NeighborLimits.USUAL));
      }
      g.chain(kind.out("rest"), g.output("rest"));
    });
  }

  private static String one(List<String> addresses) {
    if (addresses.size() > 1) {
      throw new ConfigException(
          "too many addresses of a link: addresses=%s; write one"
              .formatted(String.join(", ", addresses)));
    }
    return addresses.isEmpty() ? "" : addresses.getFirst();
  }

  private static Classifier kinds(String mac, boolean hasIpv4, boolean hasIpv6) {
    String own = " 0/" + mac.replace(":", "");
    List<String> patterns = new ArrayList<>();
    if (hasIpv4) {
      patterns.add("ip" + own + IPV4);
    }
    if (hasIpv6) {
      patterns.add("asked" + IPV6 + " 20/3a 54/87");
      patterns.add("told" + IPV6 + " 20/3a 54/88");
      patterns.add("ip6" + own + IPV6);
    }
    if (hasIpv4) {
      patterns.add("arp 12/0806");
    }
    patterns.add("rest -");
    return new Classifier(patterns);
  }

  private static void ipv4(GraphBuilder g, Node kind, String mac, ArpQuerier querier) {
    String host = querier.address().replaceFirst("/.*", "");
    Node responder = g.add("responder", ArpResponder.of(mac, host));
    Node arp = g.add("arp", querier);
    g.chain(g.input("ip"), arp, g.output("out"));
    g.chain(g.input("via"), arp.in("via"));
    g.chain(kind.out("arp"), responder, g.output("out"));
    g.chain(responder.out("rest"), arp.in("replies"));
    g.chain(arp.out("unreachable"), g.output("unreachable"));
    g.chain(kind.out("ip"), g.output("ip"));
  }

  private static void ipv6(GraphBuilder g, Node kind, NeighborDiscovery discovery) {
    Node nd = g.add("nd", discovery);
    g.chain(g.input("ip6"), nd, g.output("out"));
    g.chain(g.input("via6"), nd.in("via"));
    g.chain(kind.out("asked"), nd.in("messages"));
    g.chain(kind.out("told"), nd.in("messages"));
    g.chain(nd.out("unreachable"), g.output("unreachable"));
    g.chain(kind.out("ip6"), g.output("ip6"));
  }
}
