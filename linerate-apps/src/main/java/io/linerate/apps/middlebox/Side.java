package io.linerate.apps.middlebox;

import io.linerate.core.config.Configuration;
import io.linerate.graph.Element;
import io.linerate.graph.GraphBuilder;
import io.linerate.graph.Node;
import io.linerate.graph.element.Announce;
import io.linerate.graph.element.ArpResponder;
import io.linerate.graph.element.CheckIpv4;
import io.linerate.graph.element.CheckIpv6;
import io.linerate.graph.element.DecrementTtl;
import io.linerate.graph.element.Discard;
import io.linerate.graph.element.Fragment;
import io.linerate.graph.element.FromPort;
import io.linerate.graph.element.IcmpError;
import io.linerate.graph.element.IcmpPingResponder;
import io.linerate.graph.element.Link;
import io.linerate.graph.element.Queue;
import io.linerate.graph.element.Reassemble;
import io.linerate.graph.element.ToPort;
import io.linerate.wire.Ipv4;
import io.linerate.wire.Ipv6;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One side of a middlebox for IPv4, IPv6 or both: the port, the router's end of the link there,
 * what is done with all that comes by it, and with all that leaves. What is translated between two
 * sides has two ways in: from the link ({@link #received}), and again, from the middlebox itself
 * ({@link #again}): errors about packets that could not leave on this side come as if from there.
 */
public final class Side {
  private static final int QUEUE_PACKETS = 4_096;

  private final GraphBuilder g;
  private final Configuration configuration;
  private final String name;
  private final String host;
  private final String host6;
  private final Node port;
  private final Node link;
  private final Node again;
  private @Nullable Node tooBig;

  /**
   * @param name of the port
   * @param addresses its own, with the lengths of the prefixes: one of IPv4 at most
   * @param routers of the link: none, or one of each version that it has addresses of
   * @param others addresses that it answers for on the link besides
   * @param servers which see frames first: answers leave by out, all else by rest
   */
  public Side(
      GraphBuilder g,
      Configuration configuration,
      String name,
      List<String> addresses,
      List<String> routers,
      List<String> others,
      Map<String, Element> servers) {
    this.g = g;
    this.configuration = configuration;
    this.name = name;
    host = SideSettings.host(SideSettings.ofVersion(addresses, Ipv4.VERSION));
    host6 = SideSettings.host(SideSettings.ofVersion(addresses, Ipv6.VERSION));
    String mac = SideSettings.mac(configuration, name);
    port = g.add("to-" + name, new ToPort(name));
    link = g.add(name, Link.of(mac, SideSettings.withLinkLocal(mac, addresses), routers));
    again = g.add("again-" + name, Queue.dropping(QUEUE_PACKETS));
    Node from = g.add("from-" + name, new FromPort(name));
    List<String> besides = others.stream().filter(one -> !one.equals(host)).distinct().toList();
    Map<String, Element> first = new LinkedHashMap<>(servers);
    if (!besides.isEmpty()) {
      first.put("arp", ArpResponder.of(mac, besides.toArray(String[]::new)));
    }
    Node rest = from;
    for (Map.Entry<String, Element> server : first.entrySet()) {
      Node node = g.add(server.getKey() + "-" + name, server.getValue());
      g.chain(rest, node);
      g.chain(node, port);
      rest = node.out("rest");
    }
    List<String> own = announce(g, port, name, mac, addresses, others);
    KernelAddresses.warn(configuration, name, own);
    g.chain(rest, link);
    g.chain(link, port);
    g.chain(link.out("rest"), g.add("others-" + name, new Discard()));
    Node unreachable = g.add("unreachable-" + name, IcmpError.unreachable(host, host6));
    g.chain(link.out("unreachable"), unreachable, again);
  }

  /**
   * Tells the neighbors of a link about addresses when the program begins.
   *
   * @param addresses of the link, with the lengths of the prefixes
   * @param others addresses that it answers for besides
   * @return all of them
   */
  public static List<String> announce(
      GraphBuilder g,
      Node port,
      String name,
      String mac,
      List<String> addresses,
      List<String> others) {
    List<String> all =
        Stream.concat(
                SideSettings.withLinkLocal(mac, addresses).stream().map(SideSettings::host),
                others.stream())
            .distinct()
            .toList();
    g.chain(g.add("announce-" + name, new Announce(mac, all)), port);
    return all;
  }

  /** That of its port. */
  public String name() {
    return name;
  }

  /** Its own address of IPv4; "": none. */
  public String host() {
    return host;
  }

  /** Its own first address of IPv6; "": none. */
  public String host6() {
    return host6;
  }

  /** Where frames go to the port as they are. */
  public Node port() {
    return port;
  }

  /** Where what the middlebox itself says comes in again, and where it leaves. */
  public Node again() {
    return again;
  }

  /** Where packets of IPv4 go to the link as they are: their next hop is looked for. */
  public Node linkIn() {
    return link.in("ip");
  }

  /**
   * What has come by the link, sound, its hop counted, and of IPv4 whole.
   *
   * @param own addresses to which echo requests are answered
   * @param unsent from which nobody sends by this link
   */
  public Node received(List<String> own, List<String> unsent) {
    List<String> unsent4 = unsent.stream().filter(address -> address.indexOf(':') < 0).toList();
    List<String> unsent6 = unsent.stream().filter(address -> address.indexOf(':') >= 0).toList();
    Node ping = g.add("ping-" + name, new IcmpPingResponder(own));
    Node ttl = g.add("ttl-" + name, new DecrementTtl());
    Node expired = g.add("expired-" + name, IcmpError.timeExceeded(host, host6));
    if (!host.isEmpty()) {
      Node whole = g.add("whole-" + name, new Reassemble());
      g.chain(link.out("ip"), g.add("sound-" + name, new CheckIpv4(unsent4)), whole, ping);
    }
    if (!host6.isEmpty()) {
      g.chain(link.out("ip6"), g.add("sound6-" + name, new CheckIpv6(unsent6)), ping);
    }
    g.chain(ping, port);
    g.chain(ping.out("rest"), ttl);
    g.chain(ttl.out("expired"), expired, port);
    return ttl;
  }

  /** IPv4 to the link, cut to its size; what must not be cut is told to who has sent it. */
  public void leave(Node from) {
    Fragment toMtu = new Fragment(configuration.engine().mtu());
    g.chain(from, cut("cut-", toMtu), link.in("ip"));
  }

  /** IPv6 to the link; what does not fit is told to who has sent it. */
  public void leave6(List<Node> from) {
    Node fits = cut("fits6-", new Fragment(configuration.engine().mtu()));
    from.forEach(node -> g.chain(node, fits));
    g.chain(fits, link.in("ip6"));
  }

  /** IPv6 to the link, cut to what each link takes. */
  public void leaveCut6(Node from) {
    Fragment least = new Fragment(Fragment.MIN_IPV6_MTU_BYTES, true);
    g.chain(from, cut("cut6-", least), link.in("ip6"));
  }

  private Node cut(String what, Fragment fragment) {
    Node cut = g.add(what + name, fragment);
    g.chain(cut.out("toobig"), tooBig());
    return cut;
  }

  private Node tooBig() {
    Node there = tooBig;
    if (there == null) {
      int mtu = configuration.engine().mtu();
      there = g.add("toobig-" + name, IcmpError.tooBig(mtu, host, host6));
      g.chain(there, again);
      tooBig = there;
    }
    return there;
  }

  /**
   * Leads what comes in on this side to an input of an element on every worker: through a switch,
   * where there are several, that knows the worker of each packet.
   *
   * @param from what was {@link #received}, and comes {@link #again}
   * @param workers 1, or as many as the switch has outputs
   */
  public void lead(List<Node> from, int workers, Supplier<Node> spread, Node to) {
    if (workers == 1) {
      from.forEach(node -> g.chain(node, to));
      return;
    }
    Node node = spread.get();
    from.forEach(one -> g.chain(one, node));
    for (int worker = 0; worker < workers; worker++) {
      Node queue = g.add("queue-" + name + worker, Queue.dropping(QUEUE_PACKETS).to(worker));
      g.chain(node.out("out" + (worker + 1)), queue, to);
    }
  }
}
