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
 * A client behind the translator, and servers beyond, with what kernels leave to cards: downloads,
 * ping, traceroute, questions over UDP, iperf3, and coturn's discovery of what the translator is.
 */
class NatProgramTest {
  private static final String CLIENT = "10.0.0.2";
  private static final String SERVER = "192.0.2.9";
  private static final String OTHER_SERVER = "192.0.2.10";
  private static final int DOWNLOADS = 200;

  private static final String ASK =
      """
      import socket, sys
      s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
      s.settimeout(5)
      s.connect((sys.argv[1], int(sys.argv[2])))
      s.send(b'question')
      try:
        print(s.recv(100))
      except ConnectionRefusedError:
        print('refused')
      """;

  private static final String ANSWER =
      """
      import socket, sys
      s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
      s.bind((sys.argv[1], 53))
      while True:
        data, peer = s.recvfrom(100)
        s.sendto(peer[0].encode(), peer)
      """;

  @TempDir Path folder;

  @BeforeEach
  void requireLab() {
    Lab.requireRoot();
    Lab.requirePrograms(
        "ip", "ethtool", "curl", "ping", "python3", "traceroute", "iperf3", "turnserver", "cmp");
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

  private Command startNat(Wire wire, String scheme, int workers, String... more) {
    Path config =
        Lab.write(
            folder.resolve("nat.properties"),
            "ports=inside=%s:%s; outside=%s:%s".formatted(scheme, Wire.LEFT, scheme, Wire.RIGHT),
            "inside=10.0.0.1/24",
            "outside=192.0.2.2/24",
            "workers=" + workers,
            String.join("\n", more));
    return Command.start(
        Command.in(wire.middle, Command.linerate("nat", config.toString(), "--json")));
  }

  private static void awaitPing(Wire wire) {
    for (int attempt = 0; attempt < 100; attempt++) {
      if (statusInside(wire, "ping", "-q", "-c", "1", "-W", "1", SERVER) == 0) {
        return;
      }
      Command.pause(100);
    }
    throw new AssertionError("server is not reached: address=" + SERVER);
  }

  @Test
  void shouldLetClientsLiveBehindIt() {
    letClientsLiveBehindIt("packet", 2);
  }

  @ParameterizedTest
  @Tag("soak")
  @CsvSource({"packet, 1", "xdp, 2"})
  void shouldLetClientsLiveBehindItOtherwise(String scheme, int workers) {
    letClientsLiveBehindIt(scheme, workers);
  }

  private void letClientsLiveBehindIt(String scheme, int workers) {
    Lab.write(folder.resolve("page"), "0123456789abcdef".repeat(20_000));
    try (Wire wire = new Wire(Wire.Offloads.ALL)) {
      Wire.addresses(wire.client, CLIENT, "10.0.0.1", "fd00::2", "fd00::1");
      Wire.addresses(wire.server, SERVER, "192.0.2.2", "fd01::9", "fd01::2");
      Command.run("ip", "-n", wire.server, "address", "add", OTHER_SERVER + "/24", "dev", "eth0");
      try (Command pages = HttpLab.serve(wire.server, SERVER, folder);
          Command answers = beyond(wire, "python3", "-u", "-c", ANSWER, SERVER);
          Command rates = beyond(wire, "iperf3", "-s");
          Command stun =
              beyond(
                  wire,
                  "turnserver",
                  "-n",
                  "-S",
                  "-L",
                  SERVER,
                  "-L",
                  OTHER_SERVER,
                  "--no-cli",
                  "--pidfile",
                  folder.resolve("turn.pid").toString(),
                  "--log-file=stdout");
          Command nat = startNat(wire, scheme, workers)) {
        awaitPing(wire);
        assertThat(inside(wire, "ping", "-c", "1", "-W", "2", "10.0.0.1")).contains("1 received");
        download(wire);
        assertThat(inside(wire, "python3", "-c", ASK, SERVER, "53")).contains("192.0.2.2");
        assertThat(inside(wire, "python3", "-c", ASK, SERVER, "9")).contains("refused");
        String hops = inside(wire, "traceroute", "-I", "-n", "-q", "1", "-w", "2", SERVER);
        if (!hops.contains(" 2  " + SERVER)) {
          throw new AssertionError(
              "server does not answer: hops=%s, summary=%s"
                  .formatted(hops, HttpLab.stop(nat).json()));
        }
        assertThat(hops).contains(" 1  10.0.0.1 ");
        inside(wire, "iperf3", "-c", SERVER, "-t", "1");
        inside(wire, "iperf3", "-c", SERVER, "-t", "1", "-R");
        inside(wire, "iperf3", "-c", SERVER, "-t", "1", "-u", "-b", "10M", "-l", "1000");
        assertThat(discover(wire, "-m")).contains("NAT with Endpoint Independent Mapping!");
        assertThat(discover(wire, "-f")).contains("NAT with Endpoint Independent Filtering!");
        assertThat(discover(wire, "-H")).contains("successful hairpinning");
        assertThat(List.of(pages, answers, rates, stun)).allMatch(Command::isAlive);
        Summary summary = HttpLab.stop(nat);
        assertThat(summary.isConserved()).as(summary.json()).isTrue();
        assertThat(summary.dropped())
            .doesNotContainKeys("malformed", "nat_untranslatable", "nat_ports", "too_big");
      }
    }
  }

  /** RFC 4787, REQ-13; and TCP finds out for itself. */
  @Test
  void shouldTellWhoSendsMoreThanFits() {
    Lab.write(folder.resolve("page"), "0123456789abcdef".repeat(20_000));
    try (Wire wire = new Wire(Wire.Offloads.ALL, 9_000)) {
      Wire.addresses(wire.client, CLIENT, "10.0.0.1", "fd00::2", "fd00::1");
      Wire.addresses(wire.server, SERVER, "192.0.2.2", "fd01::9", "fd01::2");
      try (Command pages = HttpLab.serve(wire.server, SERVER, folder);
          Command nat = startNat(wire, "packet", 2, "mtu=1500")) {
        awaitPing(wire);
        List<String> ping =
            Command.in(
                wire.client,
                List.of("ping", "-M", "do", "-s", "2000", "-c", "1", "-W", "2", SERVER));
        assertThat(Command.status(ping.toArray(new String[0]))).isNotZero();
        assertThat(inside(wire, "ip", "route", "get", SERVER)).contains("mtu 1500");
        inside(wire, "ip", "route", "flush", "cache");
        download(wire);
        assertThat(pages.isAlive()).isTrue();
        Summary summary = HttpLab.stop(nat);
        assertThat(summary.isConserved()).as(summary.json()).isTrue();
      }
    }
  }

  /** Two clients of DHCP, each of which then reaches the server. */
  @Test
  @Tag("soak")
  void shouldGiveHostsTheirAddresses() {
    DhcpClients.require();
    try (Wire wire = new Wire(Wire.Offloads.ALL)) {
      Wire.addresses(wire.server, SERVER, "192.0.2.2", "fd01::9", "fd01::2");
      try (Command nat =
          startNat(
              wire,
              "packet",
              2,
              "dhcp=10.0.0.100-10.0.0.199",
              "dhcp_dns=192.0.2.53",
              "dhcp_lease=10")) {
        new DhcpClients(wire, folder, () -> awaitPing(wire))
            .shouldHave("got=10\\.0\\.0\\.1[0-9][0-9] mask=255.255.255.0 dns=192.0.2.53 lease=600");
        Summary summary = HttpLab.stop(nat);
        assertThat(summary.isConserved()).as(summary.json()).isTrue();
        assertThat(summary.dropped()).doesNotContainKeys("malformed", "no_address");
      }
    }
  }

  /** All at once; each is what the server has. */
  private void download(Wire wire) {
    inside(
        wire,
        "sh",
        "-c",
        """
        for i in $(seq %d); do
          curl -s -S --max-time 100 -o %2$s/got$i http://%3$s:8000/page &
        done
        wait
        for i in $(seq %1$d); do cmp %2$s/page %2$s/got$i || exit 1; done
        """
            .formatted(DOWNLOADS, folder, SERVER));
  }

  private static String discover(Wire wire, String what) {
    return inside(wire, "timeout", "60", "turnutils_natdiscovery", what, SERVER);
  }
}
