package io.linerate.stream.net;

import io.linerate.core.config.ConfigException;
import io.linerate.graph.Graph;
import io.linerate.graph.GraphBuilder;
import io.linerate.graph.Node;
import io.linerate.graph.element.Announce;
import io.linerate.graph.element.Discard;
import io.linerate.graph.element.FromPort;
import io.linerate.graph.element.IcmpPingResponder;
import io.linerate.graph.element.Link;
import io.linerate.graph.element.ToPort;
import io.linerate.wire.IpPrefix;
import java.util.List;

/**
 * A host that a program is on a port of the engine: with it, an end of a link of streams is one
 * graph, to be put into others. It answers those who ask for its addresses, and pings.
 *
 * <pre>{@code
 * StreamHost host = StreamHost.of("eth0", "02:00:5e:10:00:01", "192.0.2.1/24");
 * Graph graph = Streams.graph(s -> {
 *   Node out = s.graph().add("out", host.sender(LinkSettings.DEFAULT, "192.0.2.2:4242", 1));
 *   s.objects("names", Bytes.class, Sources.objects(() -> names.map(Bytes::of))).to(out);
 * });
 * }</pre>
 *
 * @param port name of the port
 * @param mac its own Ethernet address
 * @param addresses its own, with the lengths of their prefixes: one of IPv4 at most
 * @param routers where packets go that are to leave the link: none, one of IPv4, one of IPv6 or
 *     both
 */
public record StreamHost(String port, String mac, List<String> addresses, List<String> routers) {
  public StreamHost {
    addresses = List.copyOf(addresses);
    routers = List.copyOf(routers);
  }

  /** Without routers. */
  public static StreamHost of(String port, String mac, String... addresses) {
    return new StreamHost(port, mac, List.of(addresses), List.of());
  }

  /**
   * A {@link StreamOut} on this host.
   *
   * <pre>
   * inputs      messages: Bytes
   * outputs     answers (may be left unconnected): Message
   * elements    out, a StreamOut; from, to, link, announce, ping, others
   * </pre>
   *
   * @param peer where to, such as 192.0.2.2:4242
   * @param flows of each worker
   * @throws ConfigException if the peer cannot be, is the host itself, or is off the link and no
   *     router leads there, or the host has no address of its version
   */
  public Graph sender(LinkSettings settings, String peer, int flows) {
    UdpAddress to = peer(peer);
    String own =
        own().stream()
            .filter(address -> UdpAddress.host(address).isIpv6() == to.isIpv6())
            .findFirst()
            .orElseThrow(() ->
                new ConfigException(
                    "no address of the peer's version: peer=%s, addresses=%s; write one more"
                        .formatted(peer, String.join(" ", addresses))));
    requireRoute(peer, to.prefix());
    return Graph.of(g -> {
      Node out = g.add("out", new StreamOut(settings, own, peer, flows));
      host(g, out);
      g.chain(g.input("messages"), out.in("messages"));
      g.chain(out.out("answers"), g.output("answers"));
    });
  }

  private void requireRoute(String peer, IpPrefix to) {
    List<IpPrefix> links = prefixes(addresses, to);
    String all = String.join(" ", addresses);
    if (prefixes(own(), to).contains(to)) {
      throw new ConfigException(
          "peer is this host itself: peer=%s, addresses=%s; name another".formatted(peer, all));
    }
    boolean isOnLink = links.stream().anyMatch(link -> link.contains(to));
    if (!isOnLink && prefixes(routers, to).isEmpty()) {
      throw new ConfigException(
          "no route to the peer: peer=%s, addresses=%s; name a router, or an address of the peer's network"
              .formatted(peer, all));
    }
  }

  private static List<IpPrefix> prefixes(List<String> texts, IpPrefix ofVersion) {
    return texts.stream()
        .map(IpPrefix::parse)
        .filter(one -> one.version() == ofVersion.version())
        .toList();
  }

  private static UdpAddress peer(String text) {
    try {
      return UdpAddress.parse(text);
    } catch (IllegalArgumentException e) {
      throw new ConfigException(String.valueOf(e.getMessage()));
    }
  }

  /**
   * A {@link StreamIn} on this host.
   *
   * <pre>
   * outputs     messages: Message
   * elements    in, a StreamIn; from, to, link, announce, ping, others
   * </pre>
   *
   * @param udpPort where others send to
   * @param isAnswering whether what gets messages may answer them
   */
  public Graph receiver(LinkSettings settings, int udpPort, boolean isAnswering) {
    return Graph.of(g -> {
      Node in = g.add("in", new StreamIn(settings, own(), udpPort, isAnswering));
      host(g, in);
      g.chain(in.out("messages"), g.output("messages"));
    });
  }

  private List<String> own() {
    return addresses.stream().map(address -> address.replaceFirst("/.*", "")).toList();
  }

  private void host(GraphBuilder g, Node end) {
    Node to = g.add("to", new ToPort(port));
    Node link = g.add("link", Link.of(mac, addresses, routers));
    Node others = g.add("others", new Discard());
    Node ping = g.add("ping", new IcmpPingResponder(own()));
    g.chain(g.add("from", new FromPort(port)), link, to);
    g.chain(g.add("announce", new Announce(mac, own())), to);
    g.chain(link.out("rest"), others);
    boolean isIpv4 = own().stream().anyMatch(address -> address.indexOf(':') < 0);
    boolean isIpv6 = own().stream().anyMatch(address -> address.indexOf(':') >= 0);
    if (isIpv4) {
      g.chain(link.out("ip"), end);
    }
    if (isIpv6) {
      g.chain(link.out("ip6"), end);
    }
    // A frame goes to the link's input of its version.
    if (isIpv4 && isIpv6) {
      Node version =
          g.add("version", io.linerate.graph.element.Classifier.of("ip 12/0800", "ip6 -"));
      g.chain(end.out("out"), version);
      g.chain(version.out("ip"), link.in("ip"));
      g.chain(version.out("ip6"), link.in("ip6"));
    } else {
      g.chain(end.out("out"), link.in(isIpv4 ? "ip" : "ip6"));
    }
    g.chain(end.out("rest"), ping, to);
    g.chain(ping.out("rest"), others);
  }
}
