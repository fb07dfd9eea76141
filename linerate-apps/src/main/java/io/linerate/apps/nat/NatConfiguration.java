package io.linerate.apps.nat;

import io.linerate.apps.ConnectionSettings;
import io.linerate.apps.middlebox.Links;
import io.linerate.apps.middlebox.SideSettings;
import io.linerate.core.config.ConfigEntry;
import io.linerate.core.config.Configuration;
import io.linerate.core.config.Setting;
import io.linerate.core.config.SettingsOwner;
import io.linerate.graph.Element;
import io.linerate.middlebox.dhcp.DhcpServer;
import io.linerate.middlebox.dhcp.DhcpSettings;
import io.linerate.middlebox.nat.Nat;
import io.linerate.middlebox.nat.Nat64;
import io.linerate.middlebox.nat.NatFiltering;
import io.linerate.middlebox.nat.NatForward;
import io.linerate.middlebox.nat.NatSettings;
import io.linerate.middlebox.nat.NptPrefix;
import io.linerate.middlebox.route.RouterLink;
import io.linerate.track.TrackSettings;
import io.linerate.wire.Ipv4Prefix;
import io.linerate.wire.classify.PortRange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What can be configured of the translator. */
public final class NatConfiguration implements SettingsOwner {
  /** Its addresses inside, with the lengths of the prefixes there. */
  public static final Setting<List<String>> INSIDE =
      SideSettings.addresses("inside", "10.0.0.1/24 fd00::1/64");

  /** Its addresses outside, likewise. */
  public static final Setting<List<String>> OUTSIDE =
      SideSettings.addresses("outside", "192.0.2.2/24 2001:db8::2/64");

  /** What stands for addresses of IPv4 inside; empty: they are not reached by IPv6. */
  public static final Setting<Optional<Nat64>> NAT64 =
      Setting.of(
          "nat64",
          Optional.empty(),
          NatConfiguration::nat64,
          some -> some.map(Nat64::toString).orElse(""));

  /** Prefixes of IPv6 inside, and what stands for them outside. */
  public static final Setting<List<NptPrefix>> NPT =
      Setting.of(
          "npt",
          List.of(),
          NatConfiguration::npt,
          some -> some.stream().map(NptPrefix::toString).collect(Collectors.joining("; ")));

  /** Addresses that hosts inside have outside; none: that of the translator. */
  public static final Setting<List<String>> POOL =
      Setting.list("pool", "[0-9.]+", "addresses with commas between them");

  /** Ports that they have there. */
  public static final Setting<PortRange> PORTS =
      Setting.of(
          "pool_ports",
          new PortRange(1_024, 65_535),
          NatConfiguration::range,
          range -> range.first() + "-" + range.last());

  /** Which packets come in. */
  public static final Setting<NatFiltering> FILTERING =
      Setting.choice("filtering", "filtering", NatFiltering.ENDPOINT_INDEPENDENT);

  /** Whether hosts inside reach each other by their outside addresses. */
  public static final Setting<Boolean> HAIRPINNING = Setting.truth("hairpinning", true);

  /** Ports that always lead inside. */
  public static final Setting<List<NatForward>> FORWARDS =
      Setting.of(
          "forwards",
          List.of(),
          NatConfiguration::forwards,
          some -> some.stream().map(NatForward::toString).collect(Collectors.joining("; ")));

  /** Ports that one host has at most. */
  public static final Setting<Integer> HOST_PORTS =
      Setting.number("host_ports", 65_535, 1, 1 << 24);

  /** Whether mappings are noted in the log. */
  public static final Setting<Boolean> LOG_MAPPINGS = Setting.truth("log_mappings", false);

  /** The first and last address that hosts inside get when they ask; "": none. */
  public static final Setting<String> DHCP =
      Setting.text(
          "dhcp",
          "",
          "[0-9.]+-[0-9.]+",
          "two addresses with - between them, such as 10.0.0.100-10.0.0.199");

  /** Servers of names that they are told. */
  public static final Setting<List<String>> DHCP_DNS =
      Setting.list("dhcp_dns", "[0-9.]+", "addresses with commas between them");

  /** How long they have an address, unless they ask again: minutes. */
  public static final Setting<Integer> DHCP_LEASE =
      Setting.number("dhcp_lease", 60, 1, 525_600, ", in minutes");

  private static final Pattern RANGE = Pattern.compile("([0-9]{1,5})-([0-9]{1,5})");

  private static PortRange range(ConfigEntry entry) {
    Matcher matcher = RANGE.matcher(entry.value());
    if (matcher.matches()) {
      int first = Integer.parseInt(matcher.group(1));
      int last = Integer.parseInt(matcher.group(2));
      if (first > 0 && first <= last && last <= PortRange.ANY.last()) {
        return new PortRange(first, last);
      }
    }
    throw entry.error("no range of ports", "1-65535 or a part of it is allowed");
  }

  private static List<NatForward> forwards(ConfigEntry entry) {
    List<NatForward> forwards = new ArrayList<>();
    for (String text : entry.value().split(";", -1)) {
      if (!text.isBlank()) {
        try {
          forwards.add(NatForward.parse(text.strip()));
        } catch (IllegalArgumentException e) {
          throw entry.error(
              "not a forward (" + text.strip() + ")",
              "tcp OUTSIDE:PORT INSIDE:PORT, or udp likewise, are allowed, with ; between them");
        }
      }
    }
    return forwards;
  }

  /**
   * What a configuration says of translation.
   *
   * @param own the address outside, where it names none for hosts
   * @param nat64 how IPv6 inside reaches IPv4, if it does
   */
  public static NatSettings settings(
      Configuration configuration, String own, Optional<Nat64> nat64) {
    List<String> pool = configuration.engine().get(POOL);
    return new NatSettings(
        pool.isEmpty() ? List.of(own) : pool,
        configuration.engine().get(PORTS),
        configuration.engine().get(FILTERING),
        configuration.engine().get(HAIRPINNING),
        configuration.engine().get(FORWARDS),
        configuration.engine().get(HOST_PORTS),
        configuration.engine().get(ConnectionSettings.CONNECTIONS),
        ConnectionSettings.tracking(
            configuration.engine(), NatSettings.usual(TrackSettings.DEFAULT)),
        configuration.engine().workers(),
        configuration.engine().get(LOG_MAPPINGS),
        nat64.map(some -> some.withMtu(configuration.engine().mtu())));
  }

  /**
   * Sees that addresses and forwards go together.
   *
   * @throws io.linerate.core.config.ConfigException if not
   */
  public static void require(Configuration configuration, NatSettings settings) {
    Links.require(
        configuration,
        new Nat(settings),
        problem ->
            problem.contains("forward=")
                ? FORWARDS.key()
                : problem.contains("workers=") ? "workers" : POOL.key());
  }

  /**
   * Sees that a forward leads to a host of a link.
   *
   * @throws io.linerate.core.config.ConfigException if not
   */
  public static void requireHost(Configuration configuration, NatForward forward, RouterLink link) {
    if (!link.hasRoomFor(Ipv4Prefix.of(forward.inside(), Integer.SIZE))) {
      throw configuration.error(
          FORWARDS.key(),
          "forward leads to no host of a link inside (%s)".formatted(forward),
          "write one of %s %s".formatted(link.name(), String.join(" ", link.addresses())));
    }
  }

  /**
   * A server of addresses for hosts of a link, if a configuration says which they get.
   *
   * @param port of the link
   * @param address its own there, with the length of the prefix
   * @return by its name in a graph
   * @throws io.linerate.core.config.ConfigException if these are not of that link
   */
  public static Map<String, Element> dhcp(
      Configuration configuration, String port, String address) {
    String range = configuration.engine().get(DHCP);
    if (range.isEmpty()) {
      return Map.of();
    }
    String[] ends = range.split("-", -1);
    DhcpSettings settings =
        new DhcpSettings(
            address,
            ends[0],
            ends[1],
            configuration.engine().get(DHCP_DNS),
            Duration.ofMinutes(configuration.engine().get(DHCP_LEASE)));
    DhcpServer server = new DhcpServer(SideSettings.mac(configuration, port), settings);
    Links.require(
        configuration, server, problem -> problem.contains("dns") ? DHCP_DNS.key() : DHCP.key());
    return Map.of("dhcp", server);
  }

  private static Optional<Nat64> nat64(ConfigEntry entry) {
    try {
      return Optional.of(entry.value()).filter(text -> !text.isEmpty()).map(Nat64::of);
    } catch (IllegalArgumentException e) {
      throw entry.error(
          "not a prefix for addresses of IPv4",
          "64:ff9b::/96 or another one of 32, 40, 48, 56, 64 or 96 bits is allowed, whose bits 64"
              + " to 71 are 0");
    }
  }

  private static List<NptPrefix> npt(ConfigEntry entry) {
    List<NptPrefix> prefixes = new ArrayList<>();
    for (String text : entry.value().split(";", -1)) {
      if (!text.isBlank()) {
        try {
          prefixes.add(NptPrefix.parse(text));
        } catch (IllegalArgumentException e) {
          throw entry.error(
              "not two prefixes (" + text.strip() + ")",
              "prefixes of 1 to 64 bits are allowed, such as fd01:203:405::/48 2001:db8:1::/48,"
                  + " with ; between pairs");
        }
      }
    }
    return prefixes;
  }

  @Override
  public String program() {
    return NatCommand.NAME;
  }

  @Override
  public List<Setting<?>> settings() {
    return List.of(
        INSIDE,
        OUTSIDE,
        NAT64,
        NPT,
        POOL,
        PORTS,
        FILTERING,
        HAIRPINNING,
        FORWARDS,
        HOST_PORTS,
        LOG_MAPPINGS,
        DHCP,
        DHCP_DNS,
        DHCP_LEASE,
        SideSettings.GATEWAY,
        SideSettings.MACS,
        ConnectionSettings.CONNECTIONS,
        ConnectionSettings.TIMEOUTS);
  }
}
