package io.linerate.middlebox.route;

import static io.linerate.testkit.graph.FrameBuilder.udp4;
import static io.linerate.testkit.graph.FrameBuilder.udp6;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.linerate.core.config.ConfigException;
import io.linerate.testkit.graph.ElementHarness;
import io.linerate.testkit.graph.FrameBuilder;
import io.linerate.wire.Arp;
import io.linerate.wire.IpPrefix;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RouteTest {
  private static RoutingTable table(String... routes) {
    RoutingTable table =
        new RoutingTable(
            List.of(
                new RouterLink("lan", List.of("10.0.0.1/24", "fd00:1::1/64")),
                new RouterLink("wan", List.of("192.0.2.2/24", "fd00:2::1/64", "fd00:3::1/64"))));
    RouteText.parse("routes", String.join("\n", routes), table);
    return table;
  }

  private static ElementHarness harness(RoutingTable table, Route.Check check) {
    return new ElementHarness(new Route(table, 0, check, false));
  }

  private static FrameBuilder to4(String destination) {
    return udp4().between("10.0.0.5", destination).ports(1, 2);
  }

  private static FrameBuilder to6(String destination) {
    return udp6().between("fd00:1::5", destination).ports(1, 2);
  }

  /** The next hop that a frame says; "-": its destination. */
  private static String next(byte[] frame) {
    ByteBuffer bytes = ByteBuffer.wrap(frame);
    boolean isIpv4 = bytes.getShort(12) == 0x0800;
    if (isIpv4) {
      int hop = bytes.getInt(2);
      return hop == 0
          ? "-"
          : "%d.%d.%d.%d".formatted(hop >>> 24, hop >>> 16 & 255, hop >>> 8 & 255, hop & 255);
    }
    int prefix = bytes.getShort(0);
    return prefix == 0 ? "-" : prefix + ":" + Long.toHexString(bytes.getLong(2));
  }

  private static String way(ElementHarness harness, FrameBuilder frame) {
    harness.push(frame);
    for (String output :
        List.of("ipv4-1", "ipv4-2", "ipv6-1", "ipv6-2", "local", "unreachable", "prohibited")) {
      List<byte[]> out = harness.out(output);
      if (!out.isEmpty()) {
        byte[] first = out.getFirst();
        assertThat(Arrays.copyOfRange(first, 12, first.length))
            .isEqualTo(Arrays.copyOfRange(frame.toBytes(), 12, first.length));
        return output.startsWith("ip") ? output + " " + next(first) : output;
      }
    }
    return "dropped";
  }

  @Test
  void shouldFollowTheLongestPrefix() {
    RoutingTable table =
        table(
            "default via 192.0.2.254",
            "198.51.100.0/24 via 10.0.0.9 dev lan",
            "198.51.100.128/25 via 192.0.2.7",
            "198.51.100.200 dev wan # a host",
            "default via fe80::7 dev wan",
            "2001:db8::/32 via fd00:2::9",
            "2001:db8:1::/48 via fd00:3::9 dev wan metric 20 proto bird",
            "blackhole 203.0.113.0/24",
            "unreachable 203.0.114.0/24",
            "prohibit 203.0.115.0/24",
            "local 203.0.116.1");
    try (ElementHarness harness = harness(table, Route.Check.OFF)) {
      assertThat(way(harness, to4("8.8.8.8"))).isEqualTo("ipv4-2 192.0.2.254");
      assertThat(way(harness, to4("198.51.100.1"))).isEqualTo("ipv4-1 10.0.0.9");
      assertThat(way(harness, to4("198.51.100.129"))).isEqualTo("ipv4-2 192.0.2.7");
      assertThat(way(harness, to4("198.51.100.200"))).isEqualTo("ipv4-2 -");
      assertThat(way(harness, to4("192.0.2.77"))).isEqualTo("ipv4-2 -");
      assertThat(way(harness, to4("192.0.2.2"))).isEqualTo("local");
      assertThat(way(harness, to4("10.0.0.1"))).isEqualTo("local");
      assertThat(way(harness, to4("224.0.0.5"))).isEqualTo("local");
      assertThat(way(harness, to4("203.0.113.1"))).isEqualTo("dropped");
      assertThat(way(harness, to4("203.0.114.1"))).isEqualTo("unreachable");
      assertThat(way(harness, to4("203.0.115.1"))).isEqualTo("prohibited");
      assertThat(way(harness, to4("203.0.116.1"))).isEqualTo("local");
      assertThat(way(harness, to6("2001:4860::8"))).isEqualTo("ipv6-2 1:7");
      assertThat(way(harness, to6("2001:db8::1"))).isEqualTo("ipv6-2 2:9");
      assertThat(way(harness, to6("2001:db8:1::1"))).isEqualTo("ipv6-2 3:9");
      assertThat(way(harness, to6("fd00:1::77"))).isEqualTo("ipv6-1 -");
      assertThat(way(harness, to6("fd00:2::1"))).isEqualTo("local");
      assertThat(way(harness, to6("ff02::1"))).isEqualTo("local");
      assertThat(harness.drops()).containsOnly(Map.entry("blackhole", 1L));
      assertThat(way(harness, to4("192.0.2.255"))).as("RFC 2644").isEqualTo("local");
      assertThat(way(harness, to4("192.0.2.254"))).isEqualTo("ipv4-2 -");
      assertThat(table.size()).isEqualTo(5 + 5 + 2 + 11);
    }
  }

  /** RFC 1812, sections 5.3.7 and 4.2.2.11; RFC 4291, sections 2.5.2 and 2.5.6. */
  @Test
  void shouldForwardNothingThatIsOfALinkOrAHostAlone() {
    RoutingTable table = table("default via 192.0.2.254", "default via fd00:2::9");
    try (ElementHarness harness = new ElementHarness(new Route(table, 0, Route.Check.OFF, true))) {
      assertThat(way(harness, to4("127.0.0.1"))).isEqualTo("dropped");
      assertThat(way(harness, to4("0.0.0.5"))).isEqualTo("dropped");
      assertThat(way(harness, udp4().between("0.0.0.0", "8.8.8.8"))).isEqualTo("dropped");
      assertThat(way(harness, udp4().between("0.0.0.0", "10.0.0.1"))).isEqualTo("local");
      assertThat(way(harness, udp6().between("fe80::5", "2001:db8::1"))).isEqualTo("dropped");
      assertThat(way(harness, udp6().between("::", "2001:db8::1"))).isEqualTo("dropped");
      assertThat(way(harness, udp6().between("fe80::5", "fd00:2::1"))).isEqualTo("local");
      assertThat(harness.drops())
          .containsOnly(Map.entry("bad_destination", 2L), Map.entry("bad_source", 3L));
    }
  }

  /**
   * All kinds of packets in one burst: each goes where it goes alone, and looks as it does then.
   */
  @Test
  void shouldRouteEachPacketOfABurstAsIfItWereAlone() {
    RoutingTable table =
        table(
            "default via 192.0.2.254",
            "198.51.100.0/24 via 10.0.0.9 dev lan",
            "blackhole 203.0.113.0/24",
            "prohibit 203.0.114.0/24",
            "2001:db8::/32 via fd00:3::9",
            "2001:db8:1::/48 nexthop via fd00:2::9 dev wan nexthop via fe80::1 dev lan");
    List<FrameBuilder> kinds =
        List.of(
            to4("198.51.100.1"),
            to4("8.8.8.8"),
            to4("8.8.4.4").ipv4(ip -> ip.ttl(1)),
            to4("203.0.113.1"),
            to4("203.0.114.1"),
            to4("10.0.0.1"),
            to4("224.0.0.5"),
            to4("127.0.0.1"),
            to4("198.51.100.2").ipv4(ip -> {}).options(1, 1, 1, 0),
            udp4().between("192.0.2.9", "198.51.100.3"),
            to6("2001:db8::1"),
            to6("2001:db8:1::7"),
            to6("2001:db8::2").ipv6(ip -> ip.hopLimit(1)),
            to6("2001:db9::1"),
            to6("ff02::1"),
            udp6().between("fe80::5", "2001:db8::1"),
            FrameBuilder.arp(
                Arp.REQUEST, "02:00:00:00:00:05", "10.0.0.5", "00:00:00:00:00:00", "10.0.0.1"));
    List<String> outputs =
        List.of(
            "ipv4-1",
            "ipv4-2",
            "ipv6-1",
            "ipv6-2",
            "local",
            "expired",
            "unreachable",
            "prohibited");
    SplittableRandom random = new SplittableRandom(17);
    for (Route.Check check : Route.Check.values()) {
      Route route = new Route(table, 0, check, true);
      try (ElementHarness together = new ElementHarness(route);
          ElementHarness alone = new ElementHarness(route)) {
        for (int i = 0; i < 200; i++) {
          int of = random.nextInt(1, kinds.size());
          FrameBuilder[] frames =
              random
                  .ints(random.nextInt(1, 32), 0, kinds.size())
                  .map(kind -> random.nextInt(of) == 0 ? kind : of)
                  .mapToObj(kinds::get)
                  .toArray(FrameBuilder[]::new);
          together.push(frames);
          for (FrameBuilder frame : frames) {
            alone.push(frame);
          }
          for (String output : outputs) {
            assertThat(together.out(output)).hasSameElementsAs(alone.out(output));
          }
          assertThat(together.drops()).isEqualTo(alone.drops());
        }
      }
    }
  }

  @Test
  void shouldHaveEachNetworkOnOneLink() {
    RouterLink lan = new RouterLink("lan", List.of("10.0.0.1/24", "fd00::1/64", "fd00::2/64"));
    assertThat(new RoutingTable(List.of(lan)).size()).isEqualTo(2 + 1 + 3);
    assertThatThrownBy(
            () -> new RoutingTable(List.of(lan, new RouterLink("wan", List.of("10.0.0.2/24")))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "network is on two links: network=10.0.0.0/24, links=lan, wan; give each a network of its own");
    RouterLink part = new RouterLink("wan", List.of("10.0.0.129/25", "192.0.2.0/31"));
    assertThat(new RoutingTable(List.of(lan, part)).route("10.0.0.200")).isEqualTo("dev wan");
    assertThat(new RoutingTable(List.of(lan, part)).route("192.0.2.1")).isEqualTo("dev wan");
  }

  @Test
  void shouldHaveNoRouteWhereNoneIsKnown() {
    try (ElementHarness harness = harness(table(), Route.Check.OFF)) {
      assertThat(way(harness, to4("8.8.8.8"))).isEqualTo("unreachable");
      assertThat(way(harness, to6("2001:db8::1"))).isEqualTo("unreachable");
    }
  }

  /** What is for the router itself may have come its last hop: BGP does. */
  @Test
  void shouldCountHopsOfWhatGoesOn() {
    RoutingTable table = table("198.51.100.0/24 via 192.0.2.7");
    try (ElementHarness harness = new ElementHarness(new Route(table, 0, Route.Check.OFF, true))) {
      FrameBuilder last = to4("198.51.100.1").ipv4(ip -> ip.ttl(1));
      harness.push(last, to4("10.0.0.1").ipv4(ip -> ip.ttl(1)), to4("198.51.100.1"));
      harness.expect("expired", last);
      assertThat(harness.out("local")).hasSize(1);
      assertThat(harness.layers("ipv4-2").ipv4().ttl()).isEqualTo(63);
      harness.push(to6("fd00:2::9").ipv6(ip -> ip.hopLimit(1)), to6("fd00:2::9"));
      assertThat(harness.out("expired")).hasSize(1);
      assertThat(harness.layers("ipv6-2").ipv6().hopLimit()).isEqualTo(63);
    }
  }

  /** Of equal cost: a flow keeps its hop, and flows are spread by weight. */
  @Test
  void shouldSpreadFlowsOverHopsOfEqualCost() {
    RoutingTable table =
        table(
            "198.51.100.0/24 nexthop via 192.0.2.7 dev wan weight 1 nexthop via 10.0.0.9 dev lan"
                + " weight 3");
    Map<String, Integer> counts = new HashMap<>();
    try (ElementHarness harness = harness(table, Route.Check.OFF)) {
      for (int port = 1; port <= 2_000; port++) {
        FrameBuilder frame = to4("198.51.100.1").ports(port, 9);
        String way = way(harness, frame);
        assertThat(way(harness, frame)).isEqualTo(way);
        counts.merge(way, 1, Integer::sum);
      }
    }
    assertThat(counts.keySet()).containsExactlyInAnyOrder("ipv4-2 192.0.2.7", "ipv4-1 10.0.0.9");
    assertThat(counts.get("ipv4-1 10.0.0.9")).isBetween(1_400, 1_600);
  }

  /** Else all that the first router sends to the second would leave that by one link. */
  @Test
  void shouldChooseByItselfBehindAnotherRouter() {
    RoutingTable other =
        new RoutingTable(
            List.of(
                new RouterLink("lan", List.of("10.0.0.2/24")),
                new RouterLink("wan", List.of("192.0.2.3/24"))));
    String route = "198.51.100.0/24 nexthop via 192.0.2.7 dev wan nexthop via 10.0.0.9 dev lan";
    RouteText.add(route, other);
    int first = 0;
    int both = 0;
    try (ElementHarness one = harness(table(route), Route.Check.OFF);
        ElementHarness two = harness(other, Route.Check.OFF)) {
      for (int port = 1; port <= 1_000; port++) {
        FrameBuilder frame = to4("198.51.100.1").ports(port, 9);
        boolean isFirst = way(one, frame).startsWith("ipv4-1");
        first += isFirst ? 1 : 0;
        both += isFirst && way(two, frame).startsWith("ipv4-1") ? 1 : 0;
      }
    }
    assertThat(first).isBetween(400, 600);
    assertThat(both).isBetween(150, 350);
  }

  /** A client of DHCP, and who looks whether an address is free: RFC 2131, RFC 4862. */
  @Test
  void shouldTakeWhatAsksForAnAddress() {
    try (ElementHarness harness = harness(table("default via 192.0.2.254"), Route.Check.STRICT)) {
      assertThat(way(harness, udp4().between("0.0.0.0", "255.255.255.255"))).isEqualTo("local");
      assertThat(way(harness, udp6().between("::", "ff02::1:ff00:1"))).isEqualTo("local");
      assertThat(way(harness, udp4().between("0.0.0.0", "198.51.100.1"))).isEqualTo("dropped");
      assertThat(harness.drops()).containsOnly(Map.entry("bad_reverse_path", 1L));
    }
  }

  /** RFC 3704. */
  @ParameterizedTest
  @CsvSource({"OFF, 0, 0", "LOOSE, 0, 1", "STRICT, 1, 1"})
  void shouldCheckWhereSourcesAre(Route.Check check, long otherLink, long nowhere) {
    RoutingTable table = table("198.51.100.0/24 via 192.0.2.7", "blackhole 203.0.113.0/24");
    try (ElementHarness harness = harness(table, check)) {
      harness.push(udp4().between("10.0.0.5", "198.51.100.1"));
      harness.push(udp6().between("fd00:1::5", "fd00:2::9"));
      harness.push(udp6().between("fe80::5", "fd00:2::9"));
      assertThat(harness.drops()).isEmpty();
      harness.push(udp4().between("198.51.100.1", "198.51.100.2"));
      assertThat(harness.drops().getOrDefault("bad_reverse_path", 0L)).isEqualTo(otherLink);
      harness.push(udp4().between("203.0.113.1", "198.51.100.2"));
      assertThat(harness.drops().getOrDefault("bad_reverse_path", 0L))
          .isEqualTo(otherLink + nowhere);
    }
  }

  @Test
  void shouldChangeWhilePacketsFlow() {
    RoutingTable table = table();
    try (ElementHarness harness = harness(table, Route.Check.OFF)) {
      harness.write("add", "198.51.100.0/24 via 192.0.2.7");
      assertThat(way(harness, to4("198.51.100.1"))).isEqualTo("ipv4-2 192.0.2.7");
      harness.write("add", "198.51.100.0/24 via 10.0.0.9");
      assertThat(way(harness, to4("198.51.100.1"))).isEqualTo("ipv4-1 10.0.0.9");
      assertThat(harness.read("table")).contains("198.51.100.0/24 via 10.0.0.9 dev lan\n");
      harness.write("remove", "198.51.100.0/24");
      assertThat(way(harness, to4("198.51.100.1"))).isEqualTo("unreachable");
      assertThatThrownBy(() -> RouteText.remove("198.51.100.0/24", table))
          .hasMessage("no such route: prefix=198.51.100.0/24");
    }
  }

  /** As {@code ip route show} writes networks of links. */
  @Test
  void shouldReadTheRoutesThatLinksHave() {
    RoutingTable table = table("10.0.0.0/24 dev lan proto kernel scope link src 10.0.0.1");
    assertThat(table.text(100)).isEqualTo(table().text(100));
  }

  @Test
  void shouldReadOneRouteToAPrefix() {
    String routes = "default via 10.0.0.9 metric 100\nblackhole 10.9.0.0/16\ndefault via 192.0.2.9";
    assertThatThrownBy(() -> table(routes))
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "routes:3: prefix has two routes: prefix=0.0.0.0/0: line=default via 192.0.2.9; write one,"
                + " with several nexthop where these have equal cost");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"10.0.0.0/24", "10.0.0.255/24", "fd00::/64", "224.0.0.1/24", "127.0.0.1/8"})
  void shouldHaveAddressesOfHosts(String address) {
    assertThatThrownBy(() -> new RouterLink("lan", List.of(address)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("address is no host's: link=lan, address=" + address + "; write");
  }

  /** What is written is read again as what it was. */
  @Test
  void shouldWriteWhatItReads() {
    RoutingTable table =
        table(
            "default via 192.0.2.254",
            "prohibit 203.0.115.0/24",
            "2001:db8::/32 nexthop via fd00:2::9 dev wan nexthop via fe80::1 dev lan weight 2");
    RoutingTable again = table();
    RouteText.parse("again", table.text(100), again);
    assertThat(again.text(100)).isEqualTo(table.text(100));
    assertThat(table.route("8.8.8.8")).isEqualTo("via 192.0.2.254 dev wan");
    assertThat(table.hops(IpPrefix.parse("203.0.115.0/24")).orElseThrow())
        .containsExactly(Hop.of(Hop.Kind.PROHIBIT));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "10.1.0.0/16|next hop is on no link: line=10.1.0.0/16; write dev LINK: there are lan, wan",
        "10.1.0.0/16 dev eth9|no such link: dev=eth9: line=",
        "10.1.0.0/16 via 172.16.0.1|next hop is on no link",
        "10.1.0.0/16 via 172.16.0.1 dev lan|next hop is not on its link: prefix=10.1.0.0/16, via=172.16.0.1, dev=lan; there are [10.0.0.1/24",
        "10.1.0.0/16 via fd00:2::9|next hop is of another version of IP",
        "10.1.0.0/16 via|route ends too soon",
        "10.1.0.0/16 fly 9|not a word of routes: word=fly",
        "10.1.0.0/16 dev lan weight 0|no such hop",
        "10.1.0.0/33 dev lan|not a prefix length",
        "blackhole|route ends too soon",
        "10.6.0.1/16 via 10.0.0.9|bits behind the prefix are set: prefix=10.6.0.1/16: line=10.6.0.1/16 via 10.0.0.9; write 10.6.0.0/16",
        "blackhole 2001:db8::1/32|bits behind the prefix are set: prefix=2001:db8::1/32: line=",
        "10.1.0.0/16 via 10.0.0.1|next hop is no other host: prefix=10.1.0.0/16, via=10.0.0.1, dev=lan; write another of [10.0.0.1/24",
        "10.1.0.0/16 via 10.0.0.0|next hop is no other host: prefix=10.1.0.0/16, via=10.0.0.0",
        "10.1.0.0/16 via 10.0.0.255|next hop is no other host",
        "2001:db8::/32 via fd00:2::1|next hop is no other host",
        "10.0.0.0/24 via 192.0.2.7|prefix is one of a link: prefix=10.0.0.0/24: line=10.0.0.0/24 via 192.0.2.7; leave it out,",
        "fd00:1::/64 via fd00:2::9|prefix is one of a link: prefix=fd00:1::/64",
        "blackhole 10.0.0.1|prefix is one of a link: prefix=10.0.0.1/32",
      })
  void shouldSayWhatIsWrongWithALine(String line, String message) {
    RoutingTable table = table();
    assertThatThrownBy(() -> RouteText.parse("f", "# first\n" + line, table))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith("f:2: ")
        .hasMessageContaining(message);
  }
}
