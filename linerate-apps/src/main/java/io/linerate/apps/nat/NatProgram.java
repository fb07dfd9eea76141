package io.linerate.apps.nat;

import io.linerate.apps.ConnectionSettings;
import io.linerate.core.config.Configuration;
import io.linerate.core.config.NamedAddress;
import io.linerate.core.config.Setting;
import io.linerate.core.port.Port;
import io.linerate.core.statistics.RunSummary;
import io.linerate.core.worker.Engine;
import io.linerate.graph.Graph;
import io.linerate.graph.GraphBuilder;
import io.linerate.graph.GraphRunner;
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
import io.linerate.middlebox.nat.Nat;
import io.linerate.middlebox.nat.NatSettings;
import io.linerate.middlebox.nat.NatSwitch;
import io.linerate.program.run.Application;
import io.linerate.program.run.Console;
import io.linerate.program.run.SummaryJson;
import io.linerate.track.TrackSettings;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A router between two links that translates the addresses of one of them. */
final class NatProgram implements Application {
  private static final String INSIDE = "inside";
  private static final String OUTSIDE = "outside";
  private static final int QUEUE_PACKETS = 4_096;

  private final Configuration configuration;
  private final NatSettings settings;
  private final boolean isJson;
  private final Console console;
  private @Nullable GraphRunner runner;

  NatProgram(Configuration configuration, boolean isJson, Console console) {
    this.configuration = configuration;
    this.isJson = isJson;
    this.console = console;
    List<String> names = configuration.ports().stream().map(NamedAddress::name).toList();
    if (names.size() != 2 || !names.containsAll(List.of(INSIDE, OUTSIDE))) {
      throw configuration.error(
          "ports",
          "not a port inside and one outside",
          "write ports=inside=ADDRESS; outside=ADDRESS");
    }
    settings = settings(configuration);
  }

  private static NatSettings settings(Configuration configuration) {
    List<String> pool = get(configuration, NatConfiguration.POOL);
    String own = host(required(configuration, NatConfiguration.OUTSIDE));
    return new NatSettings(
        pool.isEmpty() ? List.of(own) : pool,
        get(configuration, NatConfiguration.PORTS),
        get(configuration, NatConfiguration.FILTERING),
        get(configuration, NatConfiguration.HAIRPINNING),
        get(configuration, NatConfiguration.FORWARDS),
        get(configuration, NatConfiguration.HOST_PORTS),
        get(configuration, ConnectionSettings.CONNECTIONS),
        ConnectionSettings.tracking(
            configuration.engine(), NatSettings.usual(TrackSettings.DEFAULT)),
        configuration.engine().workers(),
        get(configuration, NatConfiguration.LOG_MAPPINGS));
  }

  private static <T> T get(Configuration configuration, Setting<T> setting) {
    return configuration.engine().get(setting);
  }

  private static String required(Configuration configuration, Setting<String> setting) {
    return NatConfiguration.some(get(configuration, setting))
        .orElseThrow(() ->
            configuration.error(
                setting.key(), "no address", "write " + setting.key() + "=ADDRESS/BITS"));
  }

  private static String host(String address) {
    return address.replaceFirst("/.*", "");
  }

  /**
   * One side of the translator.
   *
   * @param index of its port
   * @param address with the length of the prefix
   */
  private record Side(String name, int index, String address) {
    String host() {
      return NatProgram.host(address);
    }
  }

  @Override
  public void wire(Engine engine) {
    List<Port> ports = new ArrayList<>();
    for (NamedAddress port : configuration.ports()) {
      ports.add(engine.port(port.name(), port.address()));
    }
    for (Port port : ports) {
      if (port.rxQueues() == 0 || port.txQueues() == 0) {
        throw configuration.error(
            "ports",
            "port does not receive and transmit (" + port.name() + ")",
            "give one that does, such as packet:eth0");
      }
    }
    runner = GraphRunner.install(Graph.of(this::translator), engine);
  }

  private void translator(GraphBuilder g) {
    Side in = new Side(INSIDE, 0, required(configuration, NatConfiguration.INSIDE));
    Side out = new Side(OUTSIDE, 1, required(configuration, NatConfiguration.OUTSIDE));
    Node toInside = g.add("to-inside", new ToPort(INSIDE));
    Node toOutside = g.add("to-outside", new ToPort(OUTSIDE));
    Node linkInside = link(g, in, List.of(), toInside);
    Node linkOutside = link(g, out, routers(), toOutside);
    // What comes in again: to hosts inside from others there, and errors about what was translated.
    Node againInside = g.add("again-inside", Queue.dropping(QUEUE_PACKETS));
    Node againOutside = g.add("again-outside", Queue.dropping(QUEUE_PACKETS));
    tellUnreachable(g, in, linkInside, againInside);
    tellUnreachable(g, out, linkOutside, againOutside);
    Node fromInside = received(g, in, linkInside, toInside);
    Node fromOutside = received(g, out, linkOutside, toOutside);
    Node nat = g.add("nat", new Nat(settings));
    for (Side side : List.of(in, out)) {
      Node received = side.name.equals(INSIDE) ? fromInside : fromOutside;
      Node again = side.name.equals(INSIDE) ? againInside : againOutside;
      if (settings.workers() == 1) {
        g.chain(received, nat.in(side.name));
        g.chain(again, nat.in(side.name));
      } else {
        handOver(g, side, received, again, nat);
      }
    }
    g.chain(nat.out("hairpin"), againOutside);
    Node prohibited = g.add("refused", IcmpError.prohibited(in.host(), ""));
    g.chain(nat.out("refused"), prohibited, toInside);
    leave(g, out, nat, linkOutside, againOutside);
    leave(g, in, nat, linkInside, againInside);
  }

  /** To the worker that knows the host, or has given out the port. */
  private void handOver(GraphBuilder g, Side side, Node received, Node again, Node nat) {
    Node workers =
        g.add("workers-" + side.name, new NatSwitch(settings, side.name.equals(OUTSIDE)));
    g.chain(received, workers);
    g.chain(again, workers);
    for (int worker = 0; worker < settings.workers(); worker++) {
      Node queue = g.add("queue-" + side.name + worker, Queue.dropping(QUEUE_PACKETS).to(worker));
      g.chain(workers.out("out" + (worker + 1)), queue, nat.in(side.name));
    }
  }

  private List<String> routers() {
    return NatConfiguration.some(get(configuration, NatConfiguration.GATEWAY)).stream().toList();
  }

  /** The end of a link, from its port and to it. */
  private Node link(GraphBuilder g, Side side, List<String> routers, Node to) {
    String mac =
        NatConfiguration.mac(
            get(configuration, NatConfiguration.MACS),
            side.index,
            configuration.engine().programName(),
            side.name);
    Node link = g.add(side.name, Link.of(mac, List.of(side.address), routers));
    Node from = g.add("from-" + side.name, new FromPort(side.name));
    List<String> others =
        side.name.equals(OUTSIDE)
            ? settings.outside().stream().filter(one -> !one.equals(side.host())).toList()
            : List.of();
    if (others.isEmpty()) {
      g.chain(from, link);
    } else {
      Node pool = g.add("pool", ArpResponder.of(mac, others.toArray(String[]::new)));
      g.chain(from, pool, to);
      g.chain(pool.out("rest"), link);
    }
    g.chain(link, to);
    g.chain(link.out("rest"), g.add("others-" + side.name, new Discard()));
    return link;
  }

  /** What has come by a link and is to be translated, whole and sound. */
  private Node received(GraphBuilder g, Side side, Node link, Node to) {
    String[] own = {
      host(required(configuration, NatConfiguration.INSIDE)),
      host(required(configuration, NatConfiguration.OUTSIDE))
    };
    Node sound = g.add("sound-" + side.name, new CheckIpv4());
    Node whole = g.add("whole-" + side.name, new Reassemble());
    Node ping = g.add("ping-" + side.name, IcmpPingResponder.of(own));
    Node ttl = g.add("ttl-" + side.name, new DecrementTtl());
    Node expired = g.add("expired-" + side.name, IcmpError.timeExceeded(side.host(), ""));
    g.chain(link.out("ip"), sound, whole, ping, to);
    g.chain(ping.out("rest"), ttl);
    g.chain(ttl.out("expired"), expired, to);
    return ttl;
  }

  /** Errors about packets that nobody has taken, to be translated back. */
  private static void tellUnreachable(GraphBuilder g, Side side, Node link, Node again) {
    Node unreachable = g.add("unreachable-" + side.name, IcmpError.unreachable(side.host(), ""));
    g.chain(link.out("unreachable"), unreachable, again);
  }

  /** From the translator to a link. */
  private void leave(GraphBuilder g, Side side, Node nat, Node link, Node again) {
    int mtu = configuration.engine().mtu();
    Node cut = g.add("cut-" + side.name, new Fragment(mtu));
    Node tooBig = g.add("toobig-" + side.name, IcmpError.tooBig(mtu, side.host(), ""));
    g.chain(nat.out(side.name), cut, link.in("ip"));
    g.chain(cut.out("toobig"), tooBig, again);
  }

  @Override
  public @Nullable GraphRunner graph() {
    return runner;
  }

  @Override
  public void report(RunSummary summary) {
    if (isJson) {
      SummaryJson.print(console.out(), summary, json -> {});
    } else {
      console.out().print(summary.withFailures(List.of())); // Said on standard error.
    }
  }
}
