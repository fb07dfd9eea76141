package io.linerate.systemtest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A client, two routers with a smaller link between them, and a server: {@code client — one — two —
 * server}. The first router has a million routes.
 */
class RouteProgramTest {
  private static final String SERVER = "10.77.2.9";
  private static final String OTHER = "02:00:00:00:00:99";
  private static final String SERVER6 = "fd77:2::9";
  private static final int ROUTES = 1_000_000;

  @TempDir Path folder;

  @BeforeEach
  void requireLab() {
    Lab.requireRoot();
    Lab.requirePrograms("ip", "ethtool", "curl", "ping", "python3", "traceroute", "cmp");
  }

  private Command startRouter(
      Wire wire, String name, String ports, String links, int workers, List<String> routes)
      throws IOException {
    Path file = folder.resolve(name + ".routes");
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      for (String route : routes) {
        out.write(route);
        out.newLine();
      }
    }
    Path config =
        Lab.write(
            folder.resolve(name + ".properties"),
            "programname=" + name,
            "ports=" + ports,
            "links=" + links,
            "routes=" + file,
            "reverse_path=strict",
            "workers=" + workers);
    return Command.start(
        Command.in(wire.middle, Command.linerate("route", config.toString(), "--json")));
  }

  private static String inside(Wire wire, String... words) {
    return Command.run(Command.in(wire.client, List.of(words)).toArray(new String[0]));
  }

  private static void await(Wire wire, String address, Command router) {
    for (int attempt = 0; attempt < 300 && router.isAlive(); attempt++) {
      List<String> ping = List.of("ping", "-q", "-c", "1", "-W", "1", address);
      if (Command.status(Command.in(wire.client, ping).toArray(new String[0])) == 0) {
        return;
      }
      Command.pause(100);
    }
    throw new AssertionError(
        "server is not reached: address=" + address + ", errors=" + router.errors());
  }

  /** To other networks, by the same next hop or nowhere. */
  private static List<String> manyRoutes() {
    List<String> routes = new ArrayList<>();
    for (int i = 0; i < ROUTES; i++) {
      int network = 0x0B00_0000 + (i << 8);
      routes.add(
          "%d.%d.%d.0/24 via 10.77.9.%d"
              .formatted(network >>> 24, network >>> 16 & 255, network >>> 8 & 255, 2 + i % 7));
    }
    return routes;
  }

  @Test
  void shouldRouteOverTwoHopsAndASmallerLink() throws IOException {
    routeOverTwoHops("packet", 2);
  }

  @ParameterizedTest
  @Tag("soak")
  @CsvSource({"packet, 1", "xdp, 1"})
  void shouldRouteOverTwoHopsOtherwise(String scheme, int workers) throws IOException {
    routeOverTwoHops(scheme, workers);
  }

  private void routeOverTwoHops(String scheme, int workers) throws IOException {
    Lab.write(folder.resolve("page"), "0123456789abcdef".repeat(60_000));
    try (Wire wire = new Wire(Wire.Offloads.ALL)) {
      Wire.addresses(wire.client, "10.77.1.9", "10.77.1.1", "fd77:1::9", "fd77:1::1");
      Wire.addresses(wire.server, SERVER, "10.77.2.1", SERVER6, "fd77:2::1");
      wire.inMiddle("link add x1 type veth peer name x2");
      wire.inMiddle("link set x1 up");
      wire.inMiddle("link set x2 up");
      List<String> toServer = manyRoutes();
      toServer.addAll(
          List.of(
              "10.77.2.0/24 via 10.77.9.2",
              "fd77:2::/64 via fd77:9::2",
              "prohibit 203.0.113.0/24"));
      for (String router : List.of("10.77.1.1", "fd77:1::1")) { // As of one that was there before.
        inside(
            wire, "ip", "neigh", "replace", router, "dev", "eth0", "lladdr", OTHER, "nud", "stale");
      }
      try (Command one =
              startRouter(
                  wire,
                  "one",
                  "lan=%1$s:%2$s; mid=%1$s:x1".formatted(scheme, Wire.LEFT),
                  "lan 10.77.1.1/24 fd77:1::1/64; mid 10.77.9.1/24 fd77:9::1/64 mtu 1400",
                  workers,
                  toServer);
          Command two =
              startRouter(
                  wire,
                  "two",
                  "mid=%1$s:x2; lan=%1$s:%2$s".formatted(scheme, Wire.RIGHT),
                  "mid 10.77.9.2/24 fd77:9::2/64 mtu 1400; lan 10.77.2.1/24 fd77:2::1/64",
                  workers,
                  List.of(
                      "10.77.1.0/24 via 10.77.9.1", "fd77:1::/64 nexthop via fd77:9::1 weight 1"));
          Command pages = HttpLab.serve(wire.server, "::", folder)) {
        awaitNews(wire, one);
        await(wire, SERVER, one);
        await(wire, SERVER6, two);
        // From the address of the link that it comes by: RFC 1812, section 4.3.2.4.
        List<String> large = List.of("ping", "-c", "1", "-M", "do", "-s", "1400", "-n", SERVER);
        try (Command ping = Command.start(Command.in(wire.client, large))) {
          int _ = ping.awaitExit();
          assertThat(ping.output()).contains("From 10.77.1.1 ", "mtu = 1400");
        }
        assertThat(inside(wire, "traceroute", "-I", "-n", "-q", "1", "-w", "2", SERVER))
            .contains(" 1  10.77.1.1 ", " 2  10.77.9.2 ", " 3  " + SERVER);
        assertThat(inside(wire, "traceroute", "-6", "-I", "-n", "-q", "1", "-w", "2", SERVER6))
            .contains(" 1  fd77:1::1 ", " 2  fd77:9::2 ", " 3  " + SERVER6);
        for (String address : List.of(SERVER, "[" + SERVER6 + "]")) {
          inside(
              wire,
              "curl",
              "-s",
              "-S",
              "-m",
              "60",
              "-o",
              folder.resolve("got").toString(),
              "http://" + address + ":8000/page");
          Command.run("cmp", folder.resolve("page").toString(), folder.resolve("got").toString());
        }
        assertThat(inside(wire, "ip", "route", "get", SERVER)).doesNotContain("mtu 1500");
        List<String> ping = List.of("ping", "-c", "1", "-W", "2", "203.0.113.1");
        assertThat(Command.status(Command.in(wire.client, ping).toArray(new String[0])))
            .isNotZero();
        assertThat(pages.isAlive()).isTrue();
        for (Command router : List.of(one, two)) {
          Summary summary = HttpLab.stop(router);
          assertThat(summary.isConserved()).as(summary.json()).isTrue();
          assertThat(summary.dropped())
              .doesNotContainKeys("malformed", "bad_reverse_path", "no_route");
        }
      }
    }
  }

  /** Until the client knows where the router is, which it has not asked for. */
  private static void awaitNews(Wire wire, Command router) {
    for (int i = 0; i < 300 && router.isAlive(); i++) {
      if (!inside(wire, "ip", "neigh", "show").contains(OTHER)) {
        return;
      }
      Command.pause(100);
    }
    throw new AssertionError("router tells nobody of itself: errors=" + router.errors());
  }

  private Command startDaemon(Wire wire, String namespace, String name, String... lines) {
    List<String> all =
        new ArrayList<>(
            List.of("log stderr all;", "protocol device {}", "protocol direct { ipv4; }"));
    all.addAll(List.of(lines));
    Path config = Lab.write(folder.resolve(name + ".conf"), all.toArray(new String[0]));
    assertThat(wire.middle).isNotEmpty();
    return Command.start(
        Command.in(
            namespace,
            List.of(
                "bird",
                "-f",
                "-c",
                config.toString(),
                "-s",
                folder.resolve(name + ".ctl").toString(),
                "-P",
                folder.resolve(name + ".pid").toString())));
  }

  /** BGP over the router's own link, by the kernel's end of it; its routes come from the kernel. */
  @Test
  void shouldRouteWhereARoutingDaemonSays() {
    routeByDaemon("packet");
  }

  /** What it shares with the kernel is the tap: port alone. */
  @Test
  @Tag("soak")
  void shouldRouteWhereARoutingDaemonSaysOverXdp() {
    routeByDaemon("xdp");
  }

  private void routeByDaemon(String scheme) {
    Lab.requirePrograms("bird");
    try (Wire wire = new Wire(Wire.Offloads.ALL)) {
      Wire.addresses(wire.client, "10.77.1.9", "10.77.1.1", "fd77:1::9", "fd77:1::1");
      Wire.addresses(wire.server, SERVER, "10.77.2.1", SERVER6, "fd77:2::1");
      for (String address : List.of("198.51.100.1/32", "203.0.113.1/32")) {
        Command.run("ip", "-n", wire.server, "address", "add", address, "dev", "lo");
      }
      // With packet: the kernel hears what comes by the link itself, too.
      Command.run(
          Command.in(wire.middle, List.of("sysctl", "-q", "-w", "net.ipv4.conf.all.arp_ignore=1"))
              .toArray(new String[0]));
      Path config =
          Lab.write(
              folder.resolve("route.properties"),
              "ports=lan=%1$s:%2$s; wan=%1$s:%3$s; lan-host=tap:lan; wan-host=tap:wan"
                  .formatted(scheme, Wire.LEFT, Wire.RIGHT),
              "links=lan 10.77.1.1/24; wan 10.77.2.1/24",
              "kernel_routes=true");
      try (Command router =
          Command.start(
              Command.in(wire.middle, Command.linerate("route", config.toString(), "--json")))) {
        awaitInterface(wire, "wan", router);
        for (String link : List.of("lan 10.77.1.1/24", "wan 10.77.2.1/24")) {
          String[] words = link.split(" ", 2);
          wire.inMiddle("address add " + words[1] + " dev " + words[0]);
          wire.inMiddle("link set " + words[0] + " up");
        }
        try (Command own =
                startDaemon(
                    wire,
                    wire.middle,
                    "own",
                    "router id 10.77.2.1;",
                    "protocol kernel { ipv4 { export all; }; }",
                    "protocol bgp { local 10.77.2.1 as 65001; neighbor 10.77.2.9 as 65002;"
                        + " connect retry time 1; ipv4 { import all; export all; }; }");
            Command other =
                startDaemon(
                    wire,
                    wire.server,
                    "other",
                    "router id 10.77.2.9;",
                    "protocol static { ipv4; route 198.51.100.0/24 blackhole; }",
                    "protocol bgp { local 10.77.2.9 as 65002; neighbor 10.77.2.1 as 65001;"
                        + " connect retry time 1; ipv4 { import all; export where source ="
                        + " RTS_STATIC; }; }")) {
          await(wire, "198.51.100.1", router);
          List<String> ping = List.of("ping", "-c", "1", "-W", "2", "203.0.113.1");
          assertThat(Command.status(Command.in(wire.client, ping).toArray(new String[0])))
              .as("nobody has said where that is")
              .isNotZero();
          assertThat(inside(wire, "ping", "-c", "1", "-W", "2", "10.77.1.1"))
              .contains("1 received");
          assertThat(List.of(own, other)).allMatch(Command::isAlive);
          other.terminate();
          awaitNoRoute(wire);
        }
        Summary summary = HttpLab.stop(router);
        assertThat(summary.isConserved()).as(summary.json()).isTrue();
      }
    }
  }

  private static void awaitInterface(Wire wire, String name, Command router) {
    for (int attempt = 0; attempt < 300 && router.isAlive(); attempt++) {
      if (Command.status("ip", "-n", wire.middle, "link", "show", name) == 0) {
        return;
      }
      Command.pause(50);
    }
    throw new AssertionError("no interface: name=" + name + ", errors=" + router.errors());
  }

  /** The daemon has ended: what it said holds no longer. */
  private static void awaitNoRoute(Wire wire) {
    List<String> ping = List.of("ping", "-c", "1", "-W", "1", "198.51.100.1");
    for (int attempt = 0; attempt < 60; attempt++) {
      if (Command.status(Command.in(wire.client, ping).toArray(new String[0])) != 0) {
        return;
      }
      Command.pause(200);
    }
    throw new AssertionError("route is still there");
  }
}
