package io.linerate.systemtest;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Middleboxes that are killed in the middle of connections: nothing is left behind, and when they
 * are started again, connections go on, or begin anew, as the documentation says.
 */
class KilledProgramTest {
  private static final String CLIENT = "10.0.0.2";
  private static final String SERVER = "192.0.2.9";
  private static final String SERVICE = "10.0.0.80";

  /** Sends lines in one connection, each when the one before has been answered. */
  private static final String TALK =
      """
      import socket, sys, time
      s = socket.create_connection((sys.argv[1], 7000), timeout=60)
      for i in range(60):
        line = b'%d\\n' % i
        s.sendall(line)
        got = b''
        while got != line:
          more = s.recv(100)
          if not more:
            sys.exit('connection has ended')
          got += more
        if i == 20:
          print('going', file=sys.stderr, flush=True)
        time.sleep(0.05)
      """;

  private static final String ECHO =
      """
      import socketserver, sys
      class Echo(socketserver.StreamRequestHandler):
        def handle(self):
          for line in self.rfile:
            self.wfile.write(line)
      class Server(socketserver.ThreadingTCPServer):
        allow_reuse_address = True
      server = Server(('', 7000), Echo)
      print('serving', file=sys.stderr, flush=True)
      server.serve_forever()
      """;

  @TempDir Path folder;

  @BeforeEach
  void requireLab() {
    Lab.requireRoot();
    Lab.requirePrograms("ip", "ethtool", "curl", "ping", "python3");
  }

  private Command start(Wire wire, String program, String... lines) {
    Path config = Lab.write(folder.resolve(program + ".properties"), lines);
    return Command.start(
        Command.in(wire.middle, Command.linerate(program, config.toString(), "--json")));
  }

  private static Command serve(Wire wire) {
    Command server = Command.start(Command.in(wire.server, List.of("python3", "-u", "-c", ECHO)));
    server.awaitError(said -> said.contains("serving"));
    return server;
  }

  private static Command talk(Wire wire, String address) {
    return Command.start(Command.in(wire.client, List.of("python3", "-u", "-c", TALK, address)));
  }

  private static void awaitPing(Wire wire, String address) {
    for (int attempt = 0; attempt < 100; attempt++) {
      if (wire.statusOfClient("ping", "-q", "-c", "1", "-W", "1", address) == 0) {
        return;
      }
      Command.pause(100);
    }
    throw new AssertionError("host is not reached: address=" + address);
  }

  private static void shouldHaveLeftNothing(Wire wire) {
    assertThat(Command.run("ip", "-n", wire.middle, "-d", "link"))
        .contains(Wire.LEFT, Wire.RIGHT)
        .doesNotContain("prog/xdp", "promiscuity 1", "tun ");
    assertThat(Command.run("ip", "netns", "pids", wire.middle)).isBlank();
  }

  private static void shouldHaveTalked(Command client) {
    int status = client.awaitExit();
    assertThat(status).as(client.errors()).isZero();
  }

  private static void shouldBeConserved(Command program) {
    Summary summary = HttpLab.stop(program);
    assertThat(summary.isConserved()).as(summary.json()).isTrue();
  }

  @Test
  void shouldGoOnWithConnectionsThatItTranslates() {
    goOnWithTranslated("xdp");
  }

  @ParameterizedTest
  @Tag("soak")
  @ValueSource(strings = "packet")
  void shouldGoOnWithConnectionsThatItTranslatesOtherwise(String scheme) {
    goOnWithTranslated(scheme);
  }

  private void goOnWithTranslated(String scheme) {
    String[] lines = {
      "ports=inside=%s:%s; outside=%s:%s".formatted(scheme, Wire.LEFT, scheme, Wire.RIGHT),
      "inside=10.0.0.1/24",
      "outside=192.0.2.2/24",
      "workers=2"
    };
    try (Wire wire = new Wire(Wire.Offloads.ALL)) {
      Wire.addresses(wire.client, CLIENT, "10.0.0.1", "fd00::2", "fd00::1");
      Wire.addresses(wire.server, SERVER, "192.0.2.2", "fd01::9", "fd01::2");
      try (Command server = serve(wire)) {
        Command client;
        try (Command nat = start(wire, "nat", lines)) {
          awaitPing(wire, SERVER);
          client = talk(wire, SERVER);
          client.awaitError(said -> said.contains("going"));
          nat.kill();
          assertThat(nat.awaitExit()).isNotZero();
        }
        shouldHaveLeftNothing(wire);
        try (Command nat = start(wire, "nat", lines);
            client) {
          shouldHaveTalked(client);
          assertThat(server.isAlive()).isTrue();
          shouldBeConserved(nat);
        }
      }
    }
  }

  @Test
  @Tag("soak")
  void shouldGoOnWithConnectionsThatItBalances() {
    String[] lines = {
      "ports=client=packet:%s; server=packet:%s".formatted(Wire.LEFT, Wire.RIGHT),
      "client=10.0.0.1/24",
      "server=192.0.2.2/24",
      "services=tcp %s:7000 -> 192.0.2.9:7000, 192.0.2.10:7000".formatted(SERVICE),
      "check_interval=100ms",
      "workers=2"
    };
    try (Wire wire = new Wire(Wire.Offloads.ALL)) {
      Wire.addresses(wire.client, CLIENT, "10.0.0.1", "fd00::2", "fd00::1");
      Wire.addresses(wire.server, SERVER, "192.0.2.2", "fd01::9", "fd01::2");
      Command.run("ip", "-n", wire.server, "address", "add", "192.0.2.10/24", "dev", "eth0");
      try (Command server = serve(wire)) {
        Command client;
        try (Command balancer = start(wire, "balance", lines)) {
          awaitPing(wire, "10.0.0.1");
          client = talk(wire, SERVICE);
          client.awaitError(said -> said.contains("going"));
          balancer.kill();
          assertThat(balancer.awaitExit()).isNotZero();
        }
        shouldHaveLeftNothing(wire);
        try (Command balancer = start(wire, "balance", lines);
            client) {
          shouldHaveTalked(client);
          assertThat(server.isAlive()).isTrue();
          shouldBeConserved(balancer);
        }
      }
    }
  }

  /** Rules that drop what is invalid let no connection go on, and all begin anew. */
  @Test
  @Tag("soak")
  void shouldLetConnectionsBeginAnewWhereRulesWantIt() {
    String[] lines = {
      "ports=lan=packet:%s; wan=packet:%s".formatted(Wire.LEFT, Wire.RIGHT),
      "links=lan 10.0.0.1/24; wan 192.0.2.2/24",
      "nat=wan",
      "rule_lines=pass state established,related; drop state invalid; pass in lan state new;"
          + " default drop",
      "workers=2"
    };
    try (Wire wire = new Wire(Wire.Offloads.ALL)) {
      Wire.addresses(wire.client, CLIENT, "10.0.0.1", "fd00::2", "fd00::1");
      Wire.addresses(wire.server, SERVER, "192.0.2.2", "fd01::9", "fd01::2");
      try (Command server = serve(wire)) {
        Command client;
        try (Command gateway = start(wire, "gateway", lines)) {
          awaitPing(wire, SERVER);
          client = talk(wire, SERVER);
          client.awaitError(said -> said.contains("going"));
          gateway.kill();
          assertThat(gateway.awaitExit()).isNotZero();
        }
        shouldHaveLeftNothing(wire);
        try (Command gateway = start(wire, "gateway", lines);
            client) {
          awaitPing(wire, SERVER);
          try (Command another = talk(wire, SERVER)) {
            shouldHaveTalked(another);
          }
          assertThat(client.isAlive()).as("it still waits").isTrue();
          client.kill();
          assertThat(server.isAlive()).isTrue();
          Summary summary = HttpLab.stop(gateway);
          assertThat(summary.isConserved()).as(summary.json()).isTrue();
          assertThat(summary.dropped()).containsKey("rule");
        }
      }
    }
  }
}
