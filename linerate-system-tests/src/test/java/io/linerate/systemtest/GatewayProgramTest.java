package io.linerate.systemtest;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A client behind a gateway, with rules, translation and DHCP at once, and a server beyond. */
class GatewayProgramTest {
  private static final String CLIENT = "10.0.0.5";
  private static final String CLIENT6 = "fd00::5";
  private static final String SERVER = "192.0.2.9";
  private static final String SERVER6 = "fd01::9";
  private static final int DOWNLOADS = 50;

  @TempDir Path folder;

  @BeforeEach
  void requireLab() {
    Lab.requireRoot();
    Lab.requirePrograms("ip", "ethtool", "curl", "ping", "python3", "traceroute", "iperf3", "cmp");
  }

  private Command startGateway(Wire wire, String scheme, int workers, String... more) {
    List<String> lines =
        new ArrayList<>(
            List.of(
                "ports=lan=%s:%s; wan=%s:%s".formatted(scheme, Wire.LEFT, scheme, Wire.RIGHT),
                "links=lan 10.0.0.1/24 fd00::1/64; wan 192.0.2.2/24 fd01::2/64",
                "gateway=" + SERVER,
                "nat=wan",
                "forwards=tcp 192.0.2.2:8080 %s:8000; tcp 192.0.2.2:8081 %s:8001"
                    .formatted(CLIENT, CLIENT),
                "rule_lines=pass state established,related; drop state invalid;"
                    + " pass in lan state new;"
                    + " pass in wan to %s port 8000 tcp flags S/SA state new;".formatted(CLIENT)
                    + " reject in wan to %s port 8001 tcp; default drop".formatted(CLIENT),
                "workers=" + workers));
    lines.addAll(List.of(more));
    Path config = Lab.write(folder.resolve("gateway.properties"), lines.toArray(new String[0]));
    return Command.start(
        Command.in(wire.middle, Command.linerate("gateway", config.toString(), "--json")));
  }

  private static void awaitPing(Wire wire, String address) {
    for (int attempt = 0; attempt < 100; attempt++) {
      if (wire.statusOfClient("ping", "-q", "-c", "1", "-W", "1", address) == 0) {
        return;
      }
      Command.pause(100);
    }
    throw new AssertionError("server is not reached: address=" + address);
  }

  @Test
  void shouldLetOutWhatBeginsInsideAndInWhatIsForwarded() {
    letOutAndIn("packet", 2);
  }

  @ParameterizedTest
  @Tag("soak")
  @CsvSource({"packet, 1", "xdp, 2"})
  void shouldLetOutWhatBeginsInsideAndInWhatIsForwardedOtherwise(String scheme, int workers) {
    letOutAndIn(scheme, workers);
  }

  private void letOutAndIn(String scheme, int workers) {
    Lab.write(folder.resolve("page"), "0123456789abcdef".repeat(20_000));
    try (Wire wire = new Wire(Wire.Offloads.ALL)) {
      Wire.addresses(wire.client, CLIENT, "10.0.0.1", CLIENT6, "fd00::1");
      Wire.addresses(wire.server, SERVER, "192.0.2.2", SERVER6, "fd01::2");
      try (Command beyond = HttpLab.serve(wire.server, "::", folder);
          Command rates = Command.start(Command.in(wire.server, List.of("iperf3", "-s")));
          Command inside = HttpLab.serve(wire.client, "::", folder);
          Command gateway = startGateway(wire, scheme, workers)) {
        awaitPing(wire, SERVER);
        awaitPing(wire, SERVER6);
        awaitPing(wire, "10.0.0.1");
        download(wire, SERVER);
        download(wire, "[" + SERVER6 + "]");
        wire.outputOfClient("iperf3", "-c", SERVER, "-t", "1");
        wire.outputOfClient("iperf3", "-c", SERVER, "-t", "1", "-R");
        assertThat(wire.outputOfClient("traceroute", "-I", "-n", "-q", "1", "-w", "2", SERVER))
            .contains(" 1  10.0.0.1 ", " 2  " + SERVER);
        assertThat(ask(wire.server, "192.0.2.2:8080")).as("a forward that rules pass").isZero();
        assertThat(ask(wire.server, "192.0.2.2:8081")).as("7 is a refusal").isEqualTo(7);
        assertThat(ask(wire.server, "192.0.2.2:8082")).as("28 is a timeout").isEqualTo(28);
        Command.run("ip", "-n", wire.server, "address", "add", "10.0.0.77/32", "dev", "eth0");
        assertThat(ask(wire.server, "192.0.2.2:8080", "--interface", "10.0.0.77"))
            .as("an address inside, outside")
            .isEqualTo(28);
        assertThat(ask(wire.server, CLIENT + ":8000")).as("an address inside").isEqualTo(28);
        assertThat(ask(wire.server, "[" + CLIENT6 + "]:8000")).as("IPv6").isEqualTo(28);
        assertThat(List.of(beyond, rates, inside)).allMatch(Command::isAlive);
        Summary summary = HttpLab.stop(gateway);
        assertThat(summary.isConserved()).as(summary.json()).isTrue();
        assertThat(summary.dropped())
            .containsKeys("default_rule", "nat_no_mapping", "bad_reverse_path")
            .doesNotContainKeys("malformed", "nat_untranslatable", "nat_ports", "too_big");
      }
    }
  }

  /** By its outside address, a host inside reaches another, or itself. */
  @Test
  @Tag("soak")
  void shouldLeadHostsInsideToForwardsByTheOutsideAddress() {
    Lab.write(folder.resolve("page"), "page");
    try (Wire wire = new Wire(Wire.Offloads.ALL)) {
      Wire.addresses(wire.client, CLIENT, "10.0.0.1", CLIENT6, "fd00::1");
      Command.run("ip", "-n", wire.client, "address", "add", "10.0.0.6/24", "dev", "eth0");
      Wire.addresses(wire.server, SERVER, "192.0.2.2", SERVER6, "fd01::2");
      try (Command inside = HttpLab.serve(wire.client, "::", folder);
          Command gateway = startGateway(wire, "packet", 2)) {
        awaitPing(wire, SERVER);
        assertThat(
                wire.outputOfClient(
                    "curl",
                    "-s",
                    "-S",
                    "-m",
                    "10",
                    "--interface",
                    "10.0.0.6",
                    "http://192.0.2.2:8080/page"))
            .startsWith("page");
        assertThat(inside.isAlive()).isTrue();
        Summary summary = HttpLab.stop(gateway);
        assertThat(summary.isConserved()).as(summary.json()).isTrue();
      }
    }
  }

  @Test
  void shouldGiveHostsTheirAddresses() {
    DhcpClients.require();
    try (Wire wire = new Wire(Wire.Offloads.ALL)) {
      Wire.addresses(wire.server, SERVER, "192.0.2.2", SERVER6, "fd01::2");
      try (Command gateway =
          startGateway(wire, "packet", 2, "dhcp=10.0.0.100-10.0.0.199", "dhcp_dns=" + SERVER)) {
        new DhcpClients(wire, folder, () -> awaitPing(wire, SERVER))
            .shouldHave("got=10\\.0\\.0\\.1[0-9][0-9] mask=255.255.255.0 dns=192.0.2.9");
        Summary summary = HttpLab.stop(gateway);
        assertThat(summary.isConserved()).as(summary.json()).isTrue();
        assertThat(summary.dropped()).doesNotContainKeys("malformed", "no_address");
      }
    }
  }

  private static int ask(String host, String address, String... more) {
    List<String> words =
        new ArrayList<>(
            List.of(
                "curl", "-s", "-f", "-m", "2", "-o", "/dev/null", "http://" + address + "/page"));
    words.addAll(List.of(more));
    return Command.status(Command.in(host, words).toArray(new String[0]));
  }

  /** All at once; each is what the server has. */
  private void download(Wire wire, String server) {
    wire.outputOfClient(
        "sh",
        "-c",
        """
        for i in $(seq %d); do
          curl -s -S --max-time 100 -o %2$s/got$i http://%3$s:8000/page &
        done
        wait
        for i in $(seq %1$d); do cmp %2$s/page %2$s/got$i || exit 1; done
        """
            .formatted(DOWNLOADS, folder, server));
  }
}
