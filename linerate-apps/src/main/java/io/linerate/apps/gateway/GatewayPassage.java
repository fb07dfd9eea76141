package io.linerate.apps.gateway;

import io.linerate.apps.middlebox.Answers;
import io.linerate.apps.middlebox.SideSettings;
import io.linerate.apps.nat.NatConfiguration;
import io.linerate.apps.route.Passage;
import io.linerate.apps.route.RouterGraph;
import io.linerate.core.config.Configuration;
import io.linerate.graph.Element;
import io.linerate.graph.GraphBuilder;
import io.linerate.graph.Node;
import io.linerate.graph.element.ArpResponder;
import io.linerate.graph.element.Classifier;
import io.linerate.graph.element.Discard;
import io.linerate.graph.element.Fragment;
import io.linerate.graph.element.HashSwitch;
import io.linerate.graph.element.IcmpError;
import io.linerate.graph.element.Queue;
import io.linerate.middlebox.firewall.RuleBook;
import io.linerate.middlebox.firewall.RuleFilter;
import io.linerate.middlebox.firewall.Tracking;
import io.linerate.middlebox.nat.Nat;
import io.linerate.middlebox.nat.NatSettings;
import io.linerate.middlebox.nat.NatSwitch;
import io.linerate.middlebox.route.Route;
import io.linerate.middlebox.route.RouterLink;
import io.linerate.middlebox.route.RoutingTable;
import io.linerate.middlebox.rule.Direction;
import io.linerate.wire.IpPrefix;
import io.linerate.wire.Ipv4;
import io.linerate.wire.Ipv4Address;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The firewall and the translator of a gateway. Rules see the addresses that hosts inside have
 * themselves, in both directions: what leaves is translated behind them, what comes in before it is
 * routed.
 */
final class GatewayPassage extends Passage {
  private static final int QUEUE_PACKETS = 4_096;

  private final Configuration configuration;
  private final RoutingTable table;
  private final Optional<RuleBook> rules;
  private final Optional<Tracking> tracking;
  private final int workers;
  private final Node own;
  private final long seed = new SecureRandom().nextLong();
  private final Optional<Translation> translation;

  /** From each link to that of the translator, rules included: where packets come in. */
  private final Map<Integer, Node> toTranslator = new HashMap<>();

  /** What tells senders on each link of what rules reject. */
  private final Map<Integer, Node> answers = new HashMap<>();

  /** The link outside, and how it is translated there. */
  record Outside(int link, NatSettings settings) {
    Outside withWorkers(int workers) {
      return new Outside(link, settings.withWorkers(workers));
    }
  }

  /**
   * The translator.
   *
   * @param link the one outside
   * @param fromOutside where packets come in from there
   * @param routes of what it has translated from outside
   */
  private record Translation(
      int link, NatSettings settings, Node nat, Node fromOutside, Node routes) {}

  /**
   * @param outside of the translator, if there is one
   * @param workers on which packets may leave by all ports
   * @param own where errors come in, to be routed
   */
  GatewayPassage(
      GraphBuilder g,
      Configuration configuration,
      RoutingTable table,
      Optional<RuleBook> rules,
      Optional<Tracking> tracking,
      Optional<Outside> outside,
      int workers,
      Node own) {
    super(g);
    this.configuration = configuration;
    this.table = table;
    this.rules = rules;
    this.tracking = tracking;
    this.workers = workers;
    this.own = own;
    translation = outside.map(some -> translation(some.link(), some.settings()));
  }

  private Translation translation(int link, NatSettings settings) {
    Node nat = g.add("nat", new Nat(settings));
    Node fromOutside =
        spread("outside", Optional.of(new NatSwitch(settings, true)), nat.in("outside"));
    g.chain(nat.out("hairpin"), g.add("hairpin", Queue.dropping(QUEUE_PACKETS)), fromOutside);
    String address = table.links().get(link).ipv4();
    g.chain(nat.out("refused"), g.add("refused", IcmpError.prohibited(address, "")), own);
    Node routes = g.add("route-nat", new Route(table, link, Route.Check.OFF, true));
    g.chain(nat.out("inside"), routes);
    g.chain(routes.out("expired"), g.add("expired-nat", IcmpError.timeExceeded(address, "")), own);
    g.chain(
        routes.out("unreachable"), g.add("noroute-nat", IcmpError.unreachable(address, "")), own);
    return new Translation(link, settings, nat, fromOutside, routes);
  }

  private boolean isTranslated(int version) {
    return version == Ipv4.VERSION && translation.isPresent();
  }

  @Override
  public Map<String, Element> servers(int link) {
    Map<String, Element> servers = new LinkedHashMap<>();
    RouterLink some = table.links().get(link);
    if (link == dhcpLink(configuration, table)) {
      servers.putAll(dhcp(configuration, table));
    }
    translation
        .filter(one -> one.link == link)
        .ifPresent(one -> {
          String[] others =
              one.settings.outside().stream()
                  .filter(address -> !address.equals(some.ipv4()))
                  .toArray(String[]::new);
          if (others.length > 0) {
            servers.put(
                "arp", ArpResponder.of(SideSettings.mac(configuration, some.name()), others));
          }
        });
    return servers;
  }

  /** The server of addresses, if there is one. */
  static Map<String, Element> dhcp(Configuration configuration, RoutingTable table) {
    int link = dhcpLink(configuration, table);
    if (link < 0) {
      return Map.of();
    }
    RouterLink some = table.links().get(link);
    String address =
        some.addresses().stream().filter(one -> one.indexOf(':') < 0).findFirst().orElseThrow();
    return NatConfiguration.dhcp(configuration, some.name(), address);
  }

  /** The link whose network has the addresses that hosts get; -1: none gives any. */
  private static int dhcpLink(Configuration configuration, RoutingTable table) {
    String range = configuration.engine().get(NatConfiguration.DHCP);
    if (range.isEmpty()) {
      return -1;
    }
    String first = range.split("-", -1)[0];
    int link = -1;
    try {
      link = table.linkOf(IpPrefix.parse(first));
    } catch (IllegalArgumentException e) {
      // No address is on no link.
    }
    if (link < 0) {
      throw configuration.error(
          NatConfiguration.DHCP.key(),
          "no link has this network (" + first + ")",
          "write addresses of a network that links says");
    }
    return link;
  }

  @Override
  public List<String> addresses() {
    return translation.map(some -> some.settings.outside()).orElse(List.of());
  }

  /** Nobody outside is a host inside: a forward would take it for one. */
  @Override
  public List<String> addressesOn(int link) {
    return translation.filter(some -> some.link == link).isPresent() ? addresses() : List.of();
  }

  @Override
  public Route.Check check(int link, Route.Check configured) {
    boolean isOutside = translation.filter(some -> some.link == link).isPresent();
    return isOutside ? Route.Check.STRICT : super.check(link, configured);
  }

  @Override
  public boolean needsWholePackets() {
    return translation.isPresent() || rules.filter(some -> some.needs().wholePackets()).isPresent();
  }

  @Override
  public void forward(int version, int from, int to, Node routed, Node leave) {
    if (isTranslated(version)) {
      Translation some = translation.orElseThrow();
      if (from == some.link) { // Nobody outside reaches an address inside as it is.
        g.chain(routed, some.fromOutside);
        return;
      }
      if (to == some.link) {
        g.chain(routed, toTranslator(from));
        return;
      }
    }
    Optional<Element> spread =
        tracking.isPresent() ? Optional.of(new HashSwitch(workers, seed, true)) : Optional.empty();
    String name = name(version, from, to);
    g.chain(routed, spread(name, spread, filter(name, version, from, to, leave)));
  }

  private String name(int version, int from, int to) {
    return "%s%s-%s"
        .formatted(
            version == Ipv4.VERSION ? "" : "6-",
            table.links().get(from).name(),
            table.links().get(to).name());
  }

  /** Where packets of a link come in that are translated when they have passed the rules. */
  private Node toTranslator(int from) {
    return toTranslator.computeIfAbsent(
        from,
        _ -> {
          Translation some = translation.orElseThrow();
          String name = name(Ipv4.VERSION, from, some.link);
          Node to = filter(name, Ipv4.VERSION, from, some.link, some.nat.in("inside"));
          return spread(name, Optional.of(new NatSwitch(some.settings, false)), to);
        });
  }

  /**
   * Packets of a connection are handed to the worker that knows it.
   *
   * @param by chooses the worker; empty: all stay where they are
   * @return where packets come in
   */
  private Node spread(String name, Optional<Element> by, Node to) {
    if (workers == 1 || by.isEmpty()) {
      return to;
    }
    Node node = g.add("workers-" + name, by.get());
    for (int worker = 0; worker < workers; worker++) {
      Node queue = g.add("queue-" + name + worker, Queue.dropping(QUEUE_PACKETS).to(worker));
      g.chain(node.out("out" + (worker + 1)), queue, to);
    }
    return node;
  }

  /**
   * The rules between two links.
   *
   * @return where packets come in
   */
  private Node filter(String name, int version, int from, int to, Node leave) {
    Node last = leave;
    if (version != Ipv4.VERSION && needsWholePackets()) {
      // As it came: what is put together here is cut again, which a router must not do otherwise.
      last = g.add("cut-" + name, new Fragment(RouterGraph.mtuBytes(configuration, from), true));
      g.chain(last, leave);
    }
    if (rules.isEmpty()) {
      return last;
    }
    RuleBook book = rules.get();
    Direction direction =
        new Direction(table.links().get(from).name(), table.links().get(to).name());
    Node filter = g.add("rules-" + name, new RuleFilter(book, direction, true, tracking));
    // Though no rule may reject yet: what passes does not come by it.
    g.chain(filter.out("rejected"), answers.computeIfAbsent(from, this::answers));
    g.chain(filter.out("ended"), Answers.end(g, "end-" + name), last);
    g.chain(filter, last);
    return filter;
  }

  private Node answers(int link) {
    return Answers.add(g, "-" + table.links().get(link).name(), own);
  }

  @Override
  public void local(int link, Node local, @Nullable Node host) {
    if (translation.isEmpty()) {
      super.local(link, local, host);
      return;
    }
    Translation some = translation.get();
    if (link == some.link) {
      g.chain(local, some.fromOutside);
      super.local(link, some.nat.out("rest"), host);
      return;
    }
    List<String> patterns = new ArrayList<>();
    for (String address : some.settings.outside()) { // From one host inside to another.
      patterns.add("host%d 12/0800 30/%08x".formatted(patterns.size(), Ipv4Address.parse(address)));
    }
    patterns.add("rest -");
    String name = table.links().get(link).name();
    Node kind = g.add("local-" + name, new Classifier(patterns));
    g.chain(local, kind);
    for (int i = 0; i < patterns.size() - 1; i++) {
      g.chain(kind.out("host" + i), toTranslator(link));
    }
    g.chain(kind.out("rest"), host != null ? host : g.add("unwanted-" + name, new Discard()));
  }

  @Override
  public void own(int version, int to, Node routed, Node leave) {
    if (!isTranslated(version)) {
      super.own(version, to, routed, leave);
      return;
    }
    Translation some = translation.orElseThrow();
    if (to == some.link) { // Errors about packets that have been translated when they came in.
      g.chain(some.nat.out("outside"), leave);
      g.chain(
          routed,
          spread("own", Optional.of(new NatSwitch(some.settings, false)), some.nat.in("inside")));
    } else {
      super.own(version, to, routed, leave);
      String name = name(version, some.link, to);
      Node out = some.routes.out("ipv%d-%d".formatted(version, to + 1));
      g.chain(out, filter(name, version, some.link, to, leave));
    }
  }

  @Override
  public void ownLocal(Node local) {
    translation.ifPresent(some -> g.chain(local, some.fromOutside));
  }
}
