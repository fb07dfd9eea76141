package io.linerate.systemtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.linerate.fabric.Fabric;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Two programs with the same {@code --standby} between a client and a server: the primary is killed
 * while a hundred downloads go through it, and the second carries them on.
 */
class StandbyTest {
  private static final int DOWNLOADS = 100;
  private static final int PAGE_BYTES = 3_000_000;

  @TempDir Path folder;

  @BeforeEach
  void requireLab() {
    Lab.requireRoot();
    Lab.requirePrograms("ip", "ethtool", "curl", "ping", "python3", "ss");
    assumeTrue(Fabric.problem().isEmpty(), Fabric::problem);
  }

  @Test
  void shouldCarryOnWhatAKilledFirewallHasLetThrough() throws IOException {
    carryOn("firewall", "shm", 2);
  }

  @ParameterizedTest
  @Tag("soak")
  @CsvSource({"firewall,tcp,1", "nat,shm,2", "nat,tcp,1", "balance,shm,2", "balance,tcp,1"})
  void shouldCarryOnWhatAKilledProgramHasLetThrough(String program, String provider, int workers)
      throws IOException {
    carryOn(program, provider, workers);
  }

  /** The address is the first one's: nobody else can listen there. */
  @Test
  @Tag("soak")
  void shouldTakeOverFromAKilledProgramOfAnotherHost() throws IOException {
    try (Wire wire = new Wire(Wire.Offloads.ALL)) {
      wire.inMiddle("address add 10.77.0.3/24 dev " + Wire.LEFT);
      Path config = config("firewall", 1);
      for (String host : List.of(wire.client, wire.middle)) {
        Command.run("ip", "-n", host, "link", "add", "one", "type", "veth", "peer", "name", "two");
        Command.run("ip", "-n", host, "link", "set", "one", "up");
        Command.run("ip", "-n", host, "link", "set", "two", "up");
      }
      List<String> start =
          Command.linerate(
              "firewall",
              config.toString(),
              "--json",
              "--set",
              "ports=left=packet:one; right=packet:two",
              "--standby",
              "fabric:tcp:" + Wire.CLIENT_ADDRESS + ":7050");
      try (Command second = Command.start(Command.in(wire.middle, start))) {
        second.awaitError(said -> said.contains("waits for a primary"));
        try (Command first = Command.start(Command.in(wire.client, start))) {
          second.awaitError(said -> said.contains("in step with the primary"));
          first.kill();
        }
        second.awaitError(said -> said.contains("takes over: connections="));
        second.awaitError(said -> said.contains("works without a standby"));
        Command.pause(1_000); // Until it has ports.
        Summary summary = HttpLab.stop(second);
        assertThat(summary.isConserved()).as(summary.json()).isTrue();
      }
    }
  }

  private void carryOn(String program, String provider, int workers) throws IOException {
    String page = "0123456789abcde\n".repeat(PAGE_BYTES / 16);
    try (Wire wire = new Wire(Wire.Offloads.ALL)) {
      wire.inMiddle("link set lo up");
      String server = address(wire, program);
      Path config = config(program, workers);
      Path pages = Files.createDirectory(folder.resolve("pages"));
      Files.writeString(pages.resolve("page"), page);
      List<String> start =
          Command.in(
              wire.middle,
              Command.linerate(
                  program, config.toString(), "--json", "--standby", standby(provider)));
      String url = "http://" + url(program, server) + ":8000/page";
      try (Command served = HttpLab.serve(wire.server, server, pages);
          Command first = Command.start(start)) {
        fetchOnce(wire, url);
        // So that none is done before the second has taken over, however fast the machine is.
        Path slowly = Files.createFile(pages.resolve(HttpLab.SLOWLY));
        Summary summary = killAndCarryOn(wire, start, first, slowly, url, page);
        assertThat(served.isAlive()).isTrue();
        assertThat(summary.isConserved()).as(summary.json()).isTrue();
      }
    }
  }

  private Summary killAndCarryOn(
      Wire wire, List<String> start, Command first, Path slowly, String url, String page)
      throws IOException {
    try (Command second = Command.start(start)) {
      second.awaitError(said -> said.contains("in step with the primary"));
      try (Command downloads = Command.start(Command.in(wire.client, downloads(url)))) {
        awaitDownloads(wire, downloads);
        first.kill();
        assertThat(downloads.isAlive()).as("downloads go on: %s", downloads.errors()).isTrue();
        second.awaitError(said -> said.contains("takes over: connections="));
        Files.delete(slowly);
        assertThat(downloads.awaitExit()).as(downloads.errors()).isZero();
      }
      try (Stream<Path> files = Files.list(folder.resolve("got"))) {
        List<Path> all = files.toList();
        assertThat(all).hasSize(DOWNLOADS);
        for (Path each : all) {
          assertThat(Files.readString(each).equals(page)).as("page %s", each).isTrue();
        }
      }
      try (Command third = Command.start(start)) { // The first, started again.
        third.awaitError(said -> said.contains("in step with the primary"));
        third.terminate();
        assertThat(third.awaitExit()).as(third.errors()).isZero();
      }
      return HttpLab.stop(second);
    }
  }

  private List<String> downloads(String url) throws IOException {
    Path got = Files.createDirectory(folder.resolve("got"));
    List<String> words =
        new ArrayList<>(
            List.of("curl", "-sS", "--no-keepalive", "-Z", "--parallel-max", "" + DOWNLOADS));
    words.addAll(List.of("--parallel-immediate", "--max-time", "300"));
    for (int i = 0; i < DOWNLOADS; i++) {
      words.addAll(List.of("-o", got.resolve("page" + i).toString(), url + "?" + i));
    }
    return words;
  }

  /** Until all have received something, and none is done. */
  private void awaitDownloads(Wire wire, Command downloads) throws IOException {
    for (int attempt = 0; attempt < 600; attempt++) {
      long begun = 0;
      try (Stream<Path> files = Files.list(folder.resolve("got"))) {
        begun = files.filter(file -> file.toFile().length() > 0).count();
      }
      String sockets =
          Command.run(
              Command.in(wire.client, List.of("ss", "-Htn", "state", "established"))
                  .toArray(new String[0]));
      if (begun == DOWNLOADS && sockets.lines().count() >= DOWNLOADS) {
        return;
      }
      assertThat(downloads.isAlive()).as("downloads go on: %s", downloads.errors()).isTrue();
      Command.pause(100);
    }
    throw new AssertionError("downloads have not begun: errors=" + downloads.errors());
  }

  private static void fetchOnce(Wire wire, String url) {
    List<String> words =
        List.of("curl", "-s", "-o", "/dev/null", "--connect-timeout", "2", "-m", "30", url);
    for (int attempt = 0; attempt < 150; attempt++) {
      if (Command.status(Command.in(wire.client, words).toArray(new String[0])) == 0) {
        return;
      }
      Command.pause(200);
    }
    throw new AssertionError("client never reached the server: url=" + url);
  }

  private static String standby(String provider) throws IOException {
    return provider.equals("shm")
        ? "fabric:shm:lr-standby-" + ProcessHandle.current().pid()
        : "fabric:%s:127.0.0.1:7000".formatted(provider); // Of a namespace of its own.
  }

  /** Where the server is; both ends have their addresses then. */
  private static String address(Wire wire, String program) {
    return switch (program) {
      case "nat" -> {
        Wire.addresses(wire.client, "10.0.0.2", "10.0.0.1", "fd00::2", "fd00::1");
        Wire.addresses(wire.server, "192.0.2.9", "192.0.2.2", "fd01::9", "fd01::2");
        yield "192.0.2.9";
      }
      case "balance" -> {
        Wire.addresses(wire.client, "192.0.2.9", "192.0.2.2", "fd01::9", "fd01::2");
        Wire.addresses(wire.server, "10.0.0.2", "10.0.0.1", "fd00::2", "fd00::1");
        yield "10.0.0.2";
      }
      default -> Wire.SERVER_ADDRESS;
    };
  }

  private static String url(String program, String server) {
    return program.equals("balance") ? "192.0.2.80" : server;
  }

  private Path config(String program, int workers) {
    List<String> lines = new ArrayList<>(List.of("workers=" + workers));
    String left = "packet:" + Wire.LEFT;
    String right = "packet:" + Wire.RIGHT;
    switch (program) {
      case "nat" -> {
        lines.add("ports=inside=%s; outside=%s".formatted(left, right));
        lines.addAll(List.of("inside=10.0.0.1/24", "outside=192.0.2.2/24"));
      }
      case "balance" -> {
        lines.add("ports=client=%s; server=%s".formatted(left, right));
        lines.addAll(List.of("client=192.0.2.2/24", "server=10.0.0.1/24"));
        lines.add("services=tcp 192.0.2.80:8000 -> 10.0.0.2:8000");
      }
      default -> {
        Path rules =
            Lab.write(
                folder.resolve("rules"),
                "nonip pass arp",
                "pass state established,related",
                "pass in left state new flags S/SA",
                "default drop");
        lines.add("ports=left=%s; right=%s".formatted(left, right));
        lines.add("rules=" + rules);
      }
    }
    return Lab.write(folder.resolve("program.properties"), lines.toArray(new String[0]));
  }
}
