package io.linerate.systemtest;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Three servers of HTTP for one address, and a client that asks there. */
class BalanceProgramTest {
  private static final String CLIENT = "192.0.2.9";
  private static final String SERVICE = "192.0.2.80";
  private static final int REQUESTS = 60;

  /** Says who answers, and counts on nothing else. */
  private static final String PAGES =
      """
      import http.server, sys
      class Page(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
          body = (sys.argv[1] + ' ' + 'x' * 50000).encode()
          self.send_response(200)
          self.send_header('Content-Length', str(len(body)))
          self.end_headers()
          self.wfile.write(body)
        def log_message(self, *rest):
          pass
      http.server.ThreadingHTTPServer((sys.argv[2], int(sys.argv[3])), Page).serve_forever()
      """;

  @TempDir Path folder;

  @BeforeEach
  void requireLab() {
    Lab.requireRoot();
    Lab.requirePrograms("ip", "ethtool", "curl", "ping", "python3");
  }

  private static Command serve(Wire wire, String name, String address, int port) {
    return Command.start(
        Command.in(
            wire.server, List.of("python3", "-c", PAGES, name, address, String.valueOf(port))));
  }

  private Command startBalancer(Wire wire, String scheme, int workers, String... more) {
    List<String> lines =
        new ArrayList<>(
            List.of(
                "ports=client=%s:%s; server=%s:%s".formatted(scheme, Wire.LEFT, scheme, Wire.RIGHT),
                "client=192.0.2.2/24",
                "server=10.0.0.1/24",
                "workers=" + workers,
                "check_interval=200ms",
                "check_fails=2"));
    lines.addAll(List.of(more));
    wire.inMiddle("link set lo up");
    Path config = Lab.write(folder.resolve("balance.properties"), lines.toArray(new String[0]));
    return Command.start(
        Command.in(
            wire.middle,
            Command.linerate("balance", config.toString(), "--json", "--dashboard=127.0.0.1:0")));
  }

  /** Who has answered; each request has to be. */
  private static Set<String> ask(Wire wire, int count) {
    List<String> names = answers(wire, count);
    assertThat(names).hasSize(count).allMatch(name -> name.matches("one|two|six"));
    return new TreeSet<>(names);
  }

  /** Who has answered each request, up to the first that nobody has. */
  private static List<String> answers(Wire wire, int count) {
    String script =
        """
        for i in $(seq %d); do
          page=$(curl -s -S -f -m 10 http://%s/) || exit 0
          echo "${page%%%% *}"
        done
        """
            .formatted(count, SERVICE);
    List<String> command = Command.in(wire.client, List.of("sh", "-c", script));
    return Command.run(command.toArray(new String[0])).lines().toList();
  }

  private static void control(Wire wire, String handler, String value) {
    List<String> words = Command.linerate("ctl", "balance", "write", "balance." + handler, value);
    Command.run(Command.in(wire.middle, words).toArray(new String[0]));
  }

  /** Until these answer, and no others: a change takes its time. */
  private static void await(Wire wire, String... wanted) {
    List<String> answered = List.of();
    for (int attempt = 0; attempt < 100; attempt++) {
      answered = answers(wire, 20);
      if (answered.size() == 20 && Set.copyOf(answered).equals(Set.of(wanted))) {
        return;
      }
      Command.pause(100);
    }
    throw new AssertionError(
        "other servers answer: wanted=%s, answered=%s".formatted(List.of(wanted), answered));
  }

  private static void addresses(Wire wire) {
    Wire.addresses(wire.client, CLIENT, "192.0.2.2", "fd00::2", "fd00::1");
    Wire.addresses(wire.server, "10.0.0.11", "10.0.0.1", "fd01::9", "fd01::2");
    for (String other : List.of("10.0.0.12", "10.0.0.13")) {
      Command.run("ip", "-n", wire.server, "address", "add", other + "/24", "dev", "eth0");
    }
  }

  @Test
  void shouldSpreadRequestsAndLoseNoneWhenAServerEnds() {
    spreadRequests("packet", 2, "http");
  }

  @ParameterizedTest
  @Tag("soak")
  @CsvSource({"packet, 1, tcp", "xdp, 2, icmp"})
  void shouldSpreadRequestsOtherwise(String scheme, int workers, String check) {
    spreadRequests(scheme, workers, check);
  }

  private void spreadRequests(String scheme, int workers, String check) {
    try (Wire wire = new Wire(Wire.Offloads.ALL)) {
      addresses(wire);
      try (Command one = serve(wire, "one", "10.0.0.11", 8_080);
          Command two = serve(wire, "two", "10.0.0.12", 8_080);
          Command six = serve(wire, "six", "10.0.0.13", 8_080);
          Command balancer =
              startBalancer(
                  wire,
                  scheme,
                  workers,
                  "services=tcp %s:80 -> 10.0.0.11:8080, 10.0.0.12:8080, 10.0.0.13:8080"
                      .formatted(SERVICE),
                  "check=" + check)) {
        await(wire, "one", "two", "six");
        assertThat(ask(wire, REQUESTS)).containsExactly("one", "six", "two");
        if (check.equals("icmp")) { // The address goes, and with it the answers.
          Command.run("ip", "-n", wire.server, "address", "del", "10.0.0.12/24", "dev", "eth0");
        } else {
          two.terminate();
        }
        balancer.awaitError(said -> said.contains("backend is down"));
        await(wire, "one", "six");
        assertThat(ask(wire, REQUESTS)).containsExactly("one", "six");
        control(wire, "remove", "10.0.0.13:8080");
        await(wire, "one");
        assertThat(ask(wire, REQUESTS)).containsExactly("one");
        control(wire, "add", "tcp %s:80 -> 10.0.0.13:8080".formatted(SERVICE));
        await(wire, "one", "six");
        assertThat(List.of(one, six)).allMatch(Command::isAlive);
        Summary summary = HttpLab.stop(balancer);
        assertThat(summary.isConserved()).as(summary.json()).isTrue();
        assertThat(summary.dropped()).doesNotContainKeys("malformed", "untranslatable");
      }
    }
  }

  /** The server answers by a link of its own. */
  @Test
  void shouldLetServersAnswerThemselves() {
    try (Wire wire = new Wire(Wire.Offloads.ALL)) {
      addresses(wire);
      Command.run(
          "ip",
          "-n",
          wire.client,
          "link",
          "add",
          "way",
          "type",
          "veth",
          "peer",
          "name",
          "way",
          "netns",
          wire.server);
      for (String host : List.of(wire.client, wire.server)) {
        Command.run("ip", "-n", host, "link", "set", "way", "up");
        Command.run(
            "ip", "netns", "exec", host, "sysctl", "-q", "-w", "net.ipv4.conf.all.rp_filter=0");
      }
      Command.run("ip", "-n", wire.client, "address", "add", "172.31.0.1/24", "dev", "way");
      Command.run("ip", "-n", wire.server, "address", "add", "172.31.0.2/24", "dev", "way");
      Command.run("ip", "-n", wire.server, "address", "add", SERVICE + "/32", "dev", "lo");
      Command.run("ip", "-n", wire.server, "route", "add", CLIENT, "via", "172.31.0.1");
      try (Command one = serve(wire, "one", "0.0.0.0", 80);
          Command balancer =
              startBalancer(
                  wire,
                  "packet",
                  2,
                  "services=tcp %s:80 -> 10.0.0.11:80".formatted(SERVICE),
                  "mode=direct",
                  "check=tcp")) {
        await(wire, "one");
        ask(wire, REQUESTS);
        assertThat(one.isAlive()).isTrue();
        Summary summary = HttpLab.stop(balancer);
        assertThat(summary.isConserved()).as(summary.json()).isTrue();
        assertThat(summary.numbers("txBytes").getFirst())
            .as("bytes to clients, of %d answers: %s", REQUESTS, summary.json())
            .isLessThan(50_000L);
      }
    }
  }
}
