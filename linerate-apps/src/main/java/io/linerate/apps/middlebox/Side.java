package io.linerate.apps.middlebox;

import io.linerate.core.config.Configuration;
import io.linerate.graph.Element;
import io.linerate.graph.GraphBuilder;
import io.linerate.graph.Node;
import io.linerate.graph.element.ArpResponder;
import io.linerate.graph.element.CheckIpv4;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * One side of a middlebox for IPv4: the port, the router's end of the link there, what is done with
 * all that comes by it, and with all that leaves. What is translated between two sides has two ways
 * in: from the link ({@link #received}), and again, from the middlebox itself ({@link #again}):
 * errors about packets that could not leave on this side come as if from there.
 */
public final class Side {
  private static final int QUEUE_PACKETS = 4_096;

  private final GraphBuilder g;
  private final Configuration configuration;
  private final String name;
  private final String host;
  private final Node port;
  private final Node link;
  private final Node again;

  /**
   * @param name of the port
   * @param address its own, with the length of the prefix
   * @param routers of the link: none, or one
   * @param others addresses that it answers for on the link besides
   * @param servers which see frames first: answers leave by out, all else by rest
   */
  public Side(
      GraphBuilder g,
      Configuration configuration,
      String name,
      String address,
      List<String> routers,
      List<String> others,
      Map<String, Element> servers) {
    this.g = g;
    this.configuration = configuration;
    this.name = name;
    host = SideSettings.host(address);
    String mac = SideSettings.mac(configuration, name);
    port = g.add("to-" + name, new ToPort(name));
    link = g.add(name, Link.of(mac, List.of(address), routers));
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
    g.chain(rest, link);
    g.chain(link, port);
    g.chain(link.out("rest"), g.add("others-" + name, new Discard()));
    Node unreachable = g.add("unreachable-" + name, IcmpError.unreachable(host, ""));
    g.chain(link.out("unreachable"), unreachable, again);
  }

  /** Its own address. */
  public String host() {
    return host;
  }

  /** Where frames go to the port as they are. */
  public Node port() {
    return port;
  }

  /** Where what the middlebox itself says comes in again, and where it leaves. */
  public Node again() {
    return again;
  }

  /** Where packets go to the link as they are: their next hop is looked for. */
  public Node linkIn() {
    return link.in("ip");
  }

  /**
   * What has come by the link, sound and whole, its hop counted; echo requests to these addresses
   * are answered.
   */
  public Node received(String... own) {
    Node sound = g.add("sound-" + name, new CheckIpv4());
    Node whole = g.add("whole-" + name, new Reassemble());
    Node ping = g.add("ping-" + name, IcmpPingResponder.of(own));
    Node ttl = g.add("ttl-" + name, new DecrementTtl());
    Node expired = g.add("expired-" + name, IcmpError.timeExceeded(host, ""));
    g.chain(link.out("ip"), sound, whole, ping, port);
    g.chain(ping.out("rest"), ttl);
    g.chain(ttl.out("expired"), expired, port);
    return ttl;
  }

  /** To the link, cut to its size; what must not be cut is told to who has sent it. */
  public void leave(Node from) {
    int mtu = configuration.engine().mtu();
    Node cut = g.add("cut-" + name, new Fragment(mtu));
    Node tooBig = g.add("toobig-" + name, IcmpError.tooBig(mtu, host, ""));
    g.chain(from, cut, link.in("ip"));
    g.chain(cut.out("toobig"), tooBig, again);
  }

  /**
   * Leads what comes in on this side to an input of an element on every worker: through a switch,
   * where there are several, that knows the worker of each packet.
   *
   * @param workers 1, or as many as the switch has outputs
   */
  public void lead(Node received, int workers, Supplier<Node> spread, Node to) {
    if (workers == 1) {
      g.chain(received, to);
      g.chain(again, to);
      return;
    }
    Node node = spread.get();
    g.chain(received, node);
    g.chain(again, node);
    for (int worker = 0; worker < workers; worker++) {
      Node queue = g.add("queue-" + name + worker, Queue.dropping(QUEUE_PACKETS).to(worker));
      g.chain(node.out("out" + (worker + 1)), queue, to);
    }
  }
}
