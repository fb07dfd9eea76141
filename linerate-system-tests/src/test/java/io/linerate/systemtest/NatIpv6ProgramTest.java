package io.linerate.systemtest;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A client of IPv6 behind the translator, and a server beyond that has both versions: reached by
 * what stands for its address of IPv4 (NAT64), and by its own, as if from another prefix (NPTv6).
 */
class NatIpv6ProgramTest {
  private static final String CLIENT = "fd01:203:405:1::2";
  private static final String ROUTER = "fd01:203:405:1::1";
  private static final String SERVER = "2001:db8:ff::9";
  private static final String SERVER4 = "192.0.2.9";
  private static final String SERVER64 = "64:ff9b::c000:209";

  /** The client's, as the server sees it: RFC 6296, section 3.6. */
  private static final String OUTSIDE = "2001:db8:1:d550::2";

  private static final String OUTSIDE4 = "192.0.2.2";

  /** Says who asks. */
  private static final String PAGES =
      """
      import http.server, socket, socketserver
      class Pages(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
          address = self.client_address[0].removeprefix('::ffff:')
          body = ('you are ' + address + '\\n').encode() + b'0123456789abcdef' * 20000
          self.send_response(200)
          self.send_header('Content-Length', str(len(body)))
          self.end_headers()
          self.wfile.write(body)
      class Server(socketserver.ThreadingTCPServer):
        address_family = socket.AF_INET6
      Server(('::', 8000), Pages).serve_forever()
      """;

  @TempDir Path folder;

  @BeforeEach
  void requireLab() {
    Lab.requireRoot();
    Lab.requirePrograms("ip", "ethtool", "curl", "ping", "python3", "traceroute", "iperf3");
  }

  private static String inside(Wire wire, String... words) {
    return Command.run(Command.in(wire.client, List.of(words)).toArray(new String[0]));
  }

  private static int statusInside(Wire wire, String... words) {
    return Command.status(Command.in(wire.client, List.of(words)).toArray(new String[0]));
  }

  private static Command beyond(Wire wire, String... words) {
    return Command.start(Command.in(wire.server, List.of(words)));
  }

  private static void giveAddresses(Wire wire) {
    Wire.addresses(wire.client, "10.0.0.2", "10.0.0.1", CLIENT, ROUTER);
    Wire.addresses(wire.server, SERVER4, OUTSIDE4, SERVER, "2001:db8:ff::2");
  }

  private Command startNat(Wire wire, String scheme, int workers, String... more) {
    Path config =
        Lab.write(
            folder.resolve("nat.properties"),
            "ports=inside=%s:%s; outside=%s:%s".formatted(scheme, Wire.LEFT, scheme, Wire.RIGHT),
            "outside=192.0.2.2/24 2001:db8:ff::2/64",
            "nat64=64:ff9b::/96",
            "npt=fd01:203:405::/48 2001:db8:1::/48",
            "workers=" + workers,
            String.join("\n", more));
    return Command.start(
        Command.in(wire.middle, Command.linerate("nat", config.toString(), "--json")));
  }

  private static void awaitPing(Wire wire, String address) {
    for (int attempt = 0; attempt < 100; attempt++) {
      if (statusInside(wire, "ping", "-6", "-q", "-c", "1", "-W", "1", address) == 0) {
        return;
      }
      Command.pause(100);
    }
    throw new AssertionError("server is not reached: address=" + address);
  }

  private static void requireConserved(Command nat) {
    Summary summary = HttpLab.stop(nat);
    assertThat(summary.isConserved()).as(summary.json()).isTrue();
    assertThat(summary.dropped())
        .doesNotContainKeys("malformed", "nat_untranslatable", "npt_untranslatable", "too_big");
  }

  /** By a page, and a ping in fragments. */
  private static void reach(Wire wire, String server, String seenAs) {
    awaitPing(wire, server);
    assertThat(inside(wire, "ping", "-c", "1", "-s", "4000", "-W", "2", server))
        .contains("1 received");
    download(wire, "[" + server + "]", seenAs);
  }

  private static void download(Wire wire, String server, String seenAs) {
    String page = "http://%s:8000/".formatted(server);
    assertThat(
            inside(
                wire, "curl", "-s", "-S", "-m", "60", "--retry", "9", "--retry-connrefused", page))
        .startsWith("you are " + seenAs + "\n")
        .hasSizeGreaterThan(320_000);
  }

  /** What is between, and streams in both directions. */
  private static void measure(Wire wire, String server) {
    for (String kind : List.of("-I", "-U")) {
      // One at a time: hosts do not say to all that come at once that nobody is there.
      assertThat(
              inside(wire, "traceroute", "-6", kind, "-n", "-N", "1", "-q", "1", "-w", "2", server))
          .contains(" 1  " + ROUTER, " 2  " + server);
    }
    inside(wire, "iperf3", "-6", "-c", server, "-t", "1");
    inside(wire, "iperf3", "-6", "-c", server, "-t", "1", "-R");
    inside(wire, "iperf3", "-6", "-c", server, "-t", "1", "-u", "-b", "10M", "-l", "1000");
  }

  /** Who has no IPv4 at all. */
  @Test
  void shouldLetHostsOfIpv6ReachServersOfBothVersions() {
    try (Wire wire = new Wire(Wire.Offloads.ALL)) {
      giveAddresses(wire);
      Command.run("ip", "-n", wire.client, "-4", "address", "flush", "dev", "eth0");
      try (Command pages = beyond(wire, "python3", "-c", PAGES);
          Command rates = beyond(wire, "iperf3", "-s");
          Command nat = startNat(wire, "packet", 2, "inside=%s/64".formatted(ROUTER))) {
        reach(wire, SERVER64, OUTSIDE4);
        measure(wire, SERVER64);
        reach(wire, SERVER, OUTSIDE);
        assertThat(List.of(pages, rates)).allMatch(Command::isAlive);
        requireConserved(nat);
      }
    }
  }

  @ParameterizedTest
  @Tag("soak")
  @CsvSource({"packet, 1", "packet, 2", "xdp, 2"})
  void shouldTranslateAllVersionsAtOnce(String scheme, int workers) {
    try (Wire wire = new Wire(Wire.Offloads.ALL)) {
      giveAddresses(wire);
      try (Command pages = beyond(wire, "python3", "-c", PAGES);
          Command rates = beyond(wire, "iperf3", "-s");
          Command nat =
              startNat(wire, scheme, workers, "inside=10.0.0.1/24 %s/64".formatted(ROUTER))) {
        reach(wire, SERVER64, OUTSIDE4);
        measure(wire, SERVER64);
        reach(wire, SERVER, OUTSIDE);
        measure(wire, SERVER);
        download(wire, SERVER4, OUTSIDE4);
        inside(wire, "iperf3", "-c", SERVER4, "-t", "1");
        assertThat(inside(wire, "ping", "-c", "1", "-W", "2", ROUTER)).contains("1 received");
        assertThat(List.of(pages, rates)).allMatch(Command::isAlive);
        requireConserved(nat);
      }
    }
  }

  /** Both hosts find out what the links between take: RFC 7915, sections 4.2, 4.4 and 5.2. */
  @Test
  @Tag("soak")
  void shouldTellWhoSendsMoreThanFits() {
    try (Wire wire = new Wire(Wire.Offloads.ALL, 9_000)) {
      giveAddresses(wire);
      try (Command pages = beyond(wire, "python3", "-c", PAGES);
          Command nat = startNat(wire, "packet", 2, "inside=%s/64".formatted(ROUTER), "mtu=1500")) {
        for (String server : List.of(SERVER64, SERVER)) {
          awaitPing(wire, server);
          assertThat(
                  statusInside(
                      wire, "ping", "-M", "do", "-s", "2000", "-c", "1", "-W", "2", server))
              .isNotZero();
          assertThat(inside(wire, "ip", "route", "get", server)).contains("mtu 1500");
          inside(wire, "ip", "-6", "route", "flush", "cache");
          download(wire, "[" + server + "]", server.equals(SERVER) ? OUTSIDE : OUTSIDE4);
        }
        assertThat(pages.isAlive()).isTrue();
        Summary summary = HttpLab.stop(nat);
        assertThat(summary.isConserved()).as(summary.json()).isTrue();
      }
    }
  }
}
