package io.linerate.apps.firewall;

import io.linerate.apps.ConnectionSettings;
import io.linerate.apps.middlebox.Answers;
import io.linerate.apps.middlebox.GraphProgram;
import io.linerate.apps.middlebox.RuleBookControl;
import io.linerate.apps.middlebox.RuleReport;
import io.linerate.apps.standby.StandbyOption;
import io.linerate.core.config.Configuration;
import io.linerate.core.config.NamedAddress;
import io.linerate.core.memory.LinkType;
import io.linerate.core.port.Port;
import io.linerate.core.statistics.RunSummary;
import io.linerate.core.worker.Engine;
import io.linerate.dashboard.control.ConfigurationControl;
import io.linerate.dashboard.control.RuleControl;
import io.linerate.graph.Graph;
import io.linerate.graph.GraphBuilder;
import io.linerate.graph.GraphRunner;
import io.linerate.graph.Node;
import io.linerate.graph.element.Fragment;
import io.linerate.graph.element.FromPort;
import io.linerate.graph.element.HashSwitch;
import io.linerate.graph.element.Queue;
import io.linerate.graph.element.Reassemble;
import io.linerate.graph.element.ToPort;
import io.linerate.middlebox.firewall.RuleBook;
import io.linerate.middlebox.firewall.RuleFilter;
import io.linerate.middlebox.firewall.Tracking;
import io.linerate.middlebox.rule.Direction;
import io.linerate.middlebox.synproxy.SynProxy;
import io.linerate.middlebox.synproxy.SynService;
import io.linerate.program.run.Application;
import io.linerate.program.run.Console;
import io.linerate.program.run.SummaryJson;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Forwards from each port to its peer: the first listed and the second, the third and the fourth,
 * and so on, in both directions as far as they can receive.
 */
final class Firewall implements Application {
  private static final String FILTER = "rules";
  private static final int QUEUE_PACKETS = 4_096;

  private final Configuration configuration;
  private final RuleBook book;
  private final ConfigurationControl reload;
  private final boolean isJson;
  private final Console console;

  /** Of connections, where rules ask for it. */
  private final Optional<Tracking> tracking;

  /** Servers whose handshakes are answered, by the port that clients come by. */
  private final Map<String, List<SynService>> synProxies;

  private final StandbyOption.Turn turn;
  private @Nullable GraphRunner runner;

  /** A port, as far as the graph asks. */
  private record End(String name, int rxQueues, int txQueues, boolean isEthernet) {
    static End of(Port port) {
      return new End(
          port.name(),
          port.rxQueues(),
          port.txQueues(),
          port.linkTypes().equals(LinkType.ETHERNET_ONLY));
    }
  }

  /**
   * @param reload reads the configuration again
   * @param turn what it begins with
   */
  Firewall(
      Configuration configuration,
      RuleBook book,
      ConfigurationControl reload,
      StandbyOption.Turn turn,
      boolean isJson,
      Console console) {
    this.configuration = configuration;
    this.book = book;
    this.reload = reload;
    this.isJson = isJson;
    this.console = console;
    this.turn = turn;
    tracking =
        FirewallSettings.tracking(configuration.engine(), book)
            .map(some -> some.withHandover(turn.handover(), book));
    synProxies = configuration.engine().get(FirewallSettings.SYN_PROXY);
    int ports = configuration.ports().size();
    if (ports == 0) {
      throw configuration.error("ports", "no ports", "write ports=in=ADDRESS; out=ADDRESS");
    }
    if (ports % 2 != 0) {
      throw configuration.error(
          "ports", "odd number of ports (" + ports + ")", "each port needs a peer");
    }
  }

  @Override
  public void wire(Engine engine) {
    List<Port> ports = GraphProgram.ports(configuration, engine);
    if (ports.stream().allMatch(port -> port.rxQueues() == 0)) {
      throw configuration.error("ports", "no port receives", "give one a source, such as rx=FILE");
    }
    runner = GraphRunner.install(pipeline(ports.stream().map(End::of).toList()), engine);
    engine.source(book);
    book.noteIn(engine.changes());
  }

  /** The graph if all ports receive and transmit: which do so is known when they are open. */
  Graph usualGraph() {
    int queues = configuration.engine().workers();
    return pipeline(
        configuration.ports().stream()
            .map(port -> new End(port.name(), queues, queues, true))
            .toList());
  }

  /** The ways between the ports of a configuration, each to its peer. */
  static List<Direction> directions(Configuration configuration) {
    List<NamedAddress> ports = configuration.ports();
    List<Direction> directions = new ArrayList<>();
    for (int i = 0; i < (ports.size() & ~1); i++) {
      directions.add(new Direction(ports.get(i).name(), ports.get(i ^ 1).name()));
    }
    return directions;
  }

  /** For each port that receives: from it through the rules to its peer. */
  private Graph pipeline(List<End> ports) {
    for (String name : synProxies.keySet()) {
      if (ports.stream().noneMatch(port -> port.name().equals(name) && port.rxQueues() > 0)) {
        throw configuration.error(
            FirewallSettings.SYN_PROXY.key(),
            "no such port, or it does not receive (" + name + ")",
            "write one of " + ports.stream().map(End::name).toList());
      }
    }
    return Graph.of(g -> {
      Map<String, Node> outs = new HashMap<>();
      for (int i = 0; i < ports.size(); i++) {
        End from = ports.get(i);
        End to = ports.get(i ^ 1);
        if (from.rxQueues() > 0) {
          requireTransmit(from, to);
          direction(g, outs, i, from, to);
        }
      }
    });
  }

  private void direction(GraphBuilder g, Map<String, Node> outs, int number, End from, End to) {
    Node in = g.add("in" + number, new FromPort(from.name()));
    if (needsWholePackets()) {
      Node whole = g.add("whole" + number, new Reassemble());
      g.chain(in, whole);
      in = whole;
    }
    boolean hasConnections = tracking.isPresent() || !synProxies.isEmpty();
    if (!hasConnections || configuration.engine().workers() == 1) {
      filter(g, outs, number, "", in, from, to);
      return;
    }
    // A connection is known to one worker, whatever queues its packets come by.
    int workers =
        IntStream.of(configuration.engine().workers(), from.txQueues(), to.txQueues())
            .filter(count -> count > 0)
            .min()
            .orElse(1);
    Node connections = g.add("connections" + number, new HashSwitch(workers, turn.seed(), true));
    g.chain(in, connections);
    for (int worker = 0; worker < workers; worker++) {
      String suffix = "w" + worker;
      Node queue = g.add("queue" + number + suffix, Queue.dropping(QUEUE_PACKETS));
      g.chain(connections.out("out" + (worker + 1)), queue);
      g.on(worker, filter(g, outs, number, suffix, queue, from, to));
    }
  }

  private boolean needsWholePackets() {
    return book.needs().wholePackets() || !synProxies.isEmpty();
  }

  /** Who answers handshakes of clients that come by a port; null: nobody. */
  private @Nullable Node synProxy(GraphBuilder g, Map<String, Node> outs, String name, End port) {
    List<SynService> services = synProxies.get(port.name());
    return services == null
        ? null
        : outs.computeIfAbsent(
            "proxy" + name,
            key ->
                g.add(
                    key,
                    new SynProxy(
                        services,
                        configuration.engine().get(ConnectionSettings.CONNECTIONS),
                        configuration.engine().mtu())));
  }

  /**
   * From a node through the rules to a port.
   *
   * @param outs by name; both directions have some in common, for answers
   * @param suffix of names, for the worker
   */
  private Node filter(
      GraphBuilder g,
      Map<String, Node> outs,
      int number,
      String suffix,
      Node before,
      End from,
      End to) {
    String name = number + suffix;
    Direction direction = new Direction(from.name(), to.name());
    Node filter =
        g.add(FILTER + name, new RuleFilter(book, direction, from.isEthernet(), tracking));
    Node first = synProxy(g, outs, name, from);
    // Without them the rules and what sends are compiled as one, and files need take no answers.
    if (book.needs().answers()) {
      requireTransmit(from, from);
      Node back = out(g, outs, "out" + (number ^ 1) + suffix, from);
      if (first != null) { // Its client has got another number than the server has.
        back = g.add("answers" + name, Queue.dropping(QUEUE_PACKETS));
        g.chain(back, first.in("server"));
      }
      g.chain(filter.out("rejected"), Answers.add(g, name, back));
    }
    Node last = filter;
    Node proxyOfOther = synProxy(g, outs, (number ^ 1) + suffix, to);
    if (proxyOfOther != null) {
      g.chain(filter, proxyOfOther.in("server"));
      last = proxyOfOther.out("client");
    }
    Node out = out(g, outs, "out" + name, to);
    if (book.needs().answers()) {
      Node behind = proxyOfOther == null ? out : proxyOfOther.in("server");
      g.chain(filter.out("ended"), Answers.end(g, "end" + name), behind);
    }
    if (needsWholePackets()) {
      int mtu = Math.max(configuration.engine().mtu(), Fragment.MIN_IPV6_MTU_BYTES);
      g.chain(last, g.add("cut" + name, new Fragment(mtu, true)), out);
    } else {
      g.chain(last, out);
    }
    if (first == null) {
      g.chain(before, filter);
      return filter;
    }
    requireTransmit(from, from);
    g.chain(before, first.in("client"));
    g.chain(first.out("server"), filter);
    return first;
  }

  private static Node out(GraphBuilder g, Map<String, Node> outs, String name, End port) {
    return outs.computeIfAbsent(name, _ -> g.add(name, new ToPort(port.name())));
  }

  private void requireTransmit(End from, End to) {
    if (to.txQueues() == 0) {
      throw configuration.error(
          "ports",
          "port cannot transmit (%s), which is to send %s"
              .formatted(
                  to.name(),
                  to.equals(from)
                      ? "answers to what rules reject"
                      : "what " + from.name() + " receives"),
          "give it an output, such as tx=FILE, or tx=/dev/null for none");
    }
  }

  @Override
  public @Nullable GraphRunner graph() {
    return runner;
  }

  @Override
  public RuleControl rules() {
    return new RuleBookControl(book);
  }

  @Override
  public ConfigurationControl configuration() {
    return reload;
  }

  @Override
  public List<String> finish() {
    return turn.failures().get();
  }

  @Override
  public void report(RunSummary summary) {
    if (isJson) {
      SummaryJson.print(console.out(), summary, json -> RuleReport.write(book, json));
      return;
    }
    console.out().print(summary.withFailures(List.of())); // Said on standard error.
    RuleReport.print(book, console);
  }
}
