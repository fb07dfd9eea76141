package io.linerate.apps.nat;

import io.linerate.apps.middlebox.Links;
import io.linerate.apps.middlebox.Side;
import io.linerate.apps.middlebox.SideSettings;
import io.linerate.core.config.Configuration;
import io.linerate.core.config.Setting;
import io.linerate.graph.Element;
import io.linerate.graph.GraphBuilder;
import io.linerate.graph.Node;
import io.linerate.graph.element.Classifier;
import io.linerate.graph.element.Discard;
import io.linerate.graph.element.Fragment;
import io.linerate.graph.element.IcmpError;
import io.linerate.graph.element.Reassemble;
import io.linerate.middlebox.nat.Nat;
import io.linerate.middlebox.nat.Nat64;
import io.linerate.middlebox.nat.NatSettings;
import io.linerate.middlebox.nat.NatSwitch;
import io.linerate.middlebox.nat.Npt;
import io.linerate.middlebox.nat.NptPrefix;
import io.linerate.middlebox.route.RouterLink;
import io.linerate.middlebox.route.RoutingTable;
import io.linerate.middlebox.standby.TableHandover;
import io.linerate.wire.Ipv4;
import io.linerate.wire.Ipv6;
import io.linerate.wire.Ipv6Prefix;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The graph of a translator: IPv4, and IPv6 that stands for it, go through connections on the
 * worker that knows them; all other IPv6 by its prefixes on whatever worker it comes.
 */
final class NatGraph {
  static final String INSIDE = "inside";
  static final String OUTSIDE = "outside";

  private final Configuration configuration;
  private final List<String> insideAddresses;
  private final List<String> outsideAddresses;
  private final List<NptPrefix> prefixes;
  private final Optional<Nat64> nat64;

  /** Whether addresses of IPv4 are shared. */
  private final boolean hasNat;

  /**
   * @throws io.linerate.core.config.ConfigException if addresses are missing, or do not go together
   */
  NatGraph(Configuration configuration) {
    this.configuration = configuration;
    outsideAddresses = SideSettings.requiredAll(configuration, NatConfiguration.OUTSIDE);
    insideAddresses = SideSettings.requiredAll(configuration, NatConfiguration.INSIDE);
    prefixes = get(NatConfiguration.NPT);
    nat64 = get(NatConfiguration.NAT64);
    hasNat =
        nat64.isPresent()
            || prefixes.isEmpty()
            || has(insideAddresses, Ipv4.VERSION)
            || has(outsideAddresses, Ipv4.VERSION);
    requireAddresses();
    if (nat64.isPresent() && configuration.engine().mtu() < Nat64.LEAST_MTU_BYTES) {
      throw configuration.error(
          "mtu", "links do not take IPv6", "write %d or more".formatted(Nat64.LEAST_MTU_BYTES));
    }
    requireLinks();
    if (!prefixes.isEmpty()) {
      Links.require(configuration, new Npt(prefixes), _ -> NatConfiguration.NPT.key());
    }
    Map<String, Element> _ = dhcp();
  }

  private void requireLinks() {
    RouterLink inside = Links.of(configuration, INSIDE, insideAddresses);
    RouterLink outside = Links.of(configuration, OUTSIDE, outsideAddresses);
    RoutingTable _ = Links.table(configuration, OUTSIDE, List.of(inside, outside));
    Links.addRouters(configuration, Links.table(configuration, OUTSIDE, List.of(outside)));
    if (hasNat) {
      NatConfiguration.require(
          configuration, NatConfiguration.settings(configuration, ownOutside(), nat64));
      get(NatConfiguration.FORWARDS)
          .forEach(forward -> NatConfiguration.requireHost(configuration, forward, inside));
    }
  }

  private static boolean has(List<String> addresses, int version) {
    return !SideSettings.ofVersion(addresses, version).isEmpty();
  }

  private void requireAddresses() {
    if (hasNat && (nat64.isEmpty() || !get(NatConfiguration.FORWARDS).isEmpty())) {
      requireAddress(NatConfiguration.INSIDE, Ipv4.VERSION);
    }
    if (hasNat) {
      requireAddress(NatConfiguration.OUTSIDE, Ipv4.VERSION);
    }
    if (nat64.isPresent() || !prefixes.isEmpty()) {
      requireAddress(NatConfiguration.INSIDE, Ipv6.VERSION);
    }
    if (!prefixes.isEmpty()) {
      requireAddress(NatConfiguration.OUTSIDE, Ipv6.VERSION);
    }
  }

  private void requireAddress(Setting<List<String>> setting, int version) {
    if (SideSettings.ofVersion(get(setting), version).isEmpty()) {
      throw configuration.error(
          setting.key(),
          "no address of IPv%d (%s)".formatted(version, String.join(" ", get(setting))),
          "write %s=ADDRESS/BITS with one".formatted(setting.key()));
    }
  }

  private <T> T get(Setting<T> setting) {
    return configuration.engine().get(setting);
  }

  /**
   * Adds all elements.
   *
   * @param workers on which packets may leave by both ports
   * @param handover of its connections
   */
  void build(GraphBuilder g, int workers, TableHandover handover) {
    Side inside = new Side(g, configuration, INSIDE, insideAddresses, List.of(), List.of(), dhcp());
    NatSettings settings =
        NatConfiguration.settings(configuration, ownOutside(), nat64).withWorkers(workers);
    Side outside =
        new Side(
            g,
            configuration,
            OUTSIDE,
            outsideAddresses,
            SideSettings.gateway(configuration),
            hasNat ? settings.outside() : List.of(),
            Map.of());
    List<String> own =
        Stream.of(inside.host(), inside.host6(), outside.host(), outside.host6())
            .filter(address -> !address.isEmpty())
            .toList();
    List<String> unsent =
        hasNat ? Stream.concat(own.stream(), settings.outside().stream()).toList() : own;
    Sorted fromInside = sort(g, INSIDE, inside, own, unsent);
    Sorted fromOutside = sort(g, OUTSIDE, outside, own, unsent);
    List<Node> toInside6 = new ArrayList<>();
    if (hasNat) {
      Node nat =
          translate(
              g,
              new Nat(settings, handover),
              inside,
              outside,
              fromInside.ipv4(),
              fromOutside.ipv4());
      nat64.ifPresent(_ -> toInside6.add(nat.out("inside6")));
    }
    if (prefixes.isEmpty()) {
      refuse(g, inside, fromInside.ipv6());
      refuse(g, outside, fromOutside.ipv6());
    } else {
      Node npt = translatePrefixes(g, inside, fromInside.ipv6(), fromOutside.ipv6());
      toInside6.add(npt.out(INSIDE));
      outside.leave6(List.of(npt.out(OUTSIDE)));
    }
    if (!toInside6.isEmpty()) {
      inside.leave6(toInside6);
    }
  }

  /**
   * What has come in on a side, and comes again.
   *
   * @param ipv4 for connections: of IPv4, and what stands for it
   * @param ipv6 the rest of IPv6
   */
  private record Sorted(List<Node> ipv4, List<Node> ipv6) {}

  private Sorted sort(
      GraphBuilder g, String name, Side side, List<String> own, List<String> unsent) {
    List<Node> all = List.of(side.received(own, unsent), side.again());
    boolean hasIpv4 = !side.host().isEmpty();
    boolean hasIpv6 = !side.host6().isEmpty();
    boolean hasNat64 = nat64.isPresent() && name.equals(INSIDE);
    if (!hasIpv6 || (!hasIpv4 && !hasNat64)) {
      return hasIpv6 ? new Sorted(List.of(), all) : new Sorted(all, List.of());
    }
    List<String> patterns = new ArrayList<>();
    if (hasIpv4) {
      patterns.add("ip 12/0800");
    }
    if (hasNat64) {
      patterns.add("nat64 12/86dd" + destination(nat64.orElseThrow().prefix()));
    }
    patterns.add("ip6 12/86dd");
    Node kind = g.add("version-" + name, new Classifier(patterns));
    all.forEach(node -> g.chain(node, kind));
    List<Node> ipv4 = new ArrayList<>();
    if (hasIpv4) {
      ipv4.add(kind.out("ip"));
    }
    if (hasNat64) {
      ipv4.add(whole(g, name, side, kind.out("nat64")));
    }
    return new Sorted(ipv4, List.of(kind.out("ip6")));
  }

  /**
   * Puts fragments together. What comes in one piece is no longer than the link outside takes, as
   * IPv6 wants its senders to see to: so all that is longer behind this was cut.
   */
  private Node whole(GraphBuilder g, String name, Side side, Node from) {
    int mtu = configuration.engine().mtu();
    Node fits = g.add("short6-" + name, new Fragment(mtu));
    Node tooBig = g.add("long6-" + name, IcmpError.tooBig(mtu, "", side.host6()));
    Node whole = g.add("whole6-" + name, new Reassemble());
    g.chain(from, fits, whole);
    g.chain(fits.out("toobig"), tooBig, side.port());
    return whole;
  }

  /** The bytes that a destination of a prefix begins with: up to 8 in a word. */
  private static String destination(Ipv6Prefix prefix) {
    String all = "%016x%016x".formatted(prefix.high(), prefix.low());
    int digits = prefix.bits() / 4;
    return digits <= 16
        ? " 38/" + all.substring(0, digits)
        : " 38/%s 46/%s".formatted(all.substring(0, 16), all.substring(16, digits));
  }

  private Node translate(
      GraphBuilder g,
      Nat translator,
      Side inside,
      Side outside,
      List<Node> fromInside,
      List<Node> fromOutside) {
    NatSettings settings = translator.settings();
    Node nat = g.add("nat", translator);
    lead(g, settings, INSIDE, inside, fromInside, nat);
    lead(g, settings, OUTSIDE, outside, fromOutside, nat);
    g.chain(nat.out("hairpin"), outside.again());
    g.chain(
        nat.out("refused"),
        g.add("refused", IcmpError.prohibited(inside.host(), inside.host6())),
        inside.port());
    outside.leave(nat.out(OUTSIDE));
    if (inside.host().isEmpty()) {
      g.chain(nat.out(INSIDE), g.add("ipv4-inside", new Discard()));
    } else {
      inside.leave(nat.out(INSIDE));
    }
    nat64.ifPresent(_ -> inside.leaveCut6(nat.out("cut6")));
    return nat;
  }

  /** IPv6 that nobody translates does not pass. */
  private static void refuse(GraphBuilder g, Side side, List<Node> from) {
    if (from.isEmpty()) {
      return;
    }
    String name = "noroute6-" + side.name();
    Node unreachable = g.add(name, IcmpError.unreachable("", side.host6()));
    from.forEach(node -> g.chain(node, unreachable));
    g.chain(unreachable, side.port());
  }

  /** To the worker that has the port. */
  private static void lead(
      GraphBuilder g, NatSettings settings, String name, Side side, List<Node> from, Node nat) {
    side.lead(
        from,
        settings.workers(),
        () -> g.add("workers-" + name, new NatSwitch(settings, name.equals(OUTSIDE))),
        nat.in(name));
  }

  private Node translatePrefixes(
      GraphBuilder g, Side inside, List<Node> fromInside, List<Node> fromOutside) {
    Node npt = g.add("npt", new Npt(prefixes));
    fromInside.forEach(node -> g.chain(node, npt.in(INSIDE)));
    fromOutside.forEach(node -> g.chain(node, npt.in(OUTSIDE)));
    g.chain(
        npt.out("refused"),
        g.add("refused6", IcmpError.prohibited("", inside.host6())),
        inside.port());
    return npt;
  }

  private String ownOutside() {
    return SideSettings.host(SideSettings.ofVersion(outsideAddresses, Ipv4.VERSION));
  }

  /** A server of addresses for hosts inside, if the configuration says which they get. */
  private Map<String, Element> dhcp() {
    if (get(NatConfiguration.DHCP).isEmpty()) {
      return Map.of();
    }
    requireAddress(NatConfiguration.INSIDE, Ipv4.VERSION);
    return NatConfiguration.dhcp(
        configuration, INSIDE, SideSettings.ofVersion(insideAddresses, Ipv4.VERSION));
  }
}
