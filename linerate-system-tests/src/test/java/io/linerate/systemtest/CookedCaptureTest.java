package io.linerate.systemtest;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Captures of all interfaces at once, which tcpdump makes and tshark reads as we do. */
class CookedCaptureTest {
  private static final int PACKETS = 12;

  private final String namespace = "lr" + ProcessHandle.current().pid() + "k";

  @TempDir Path folder;

  @BeforeEach
  void requireLab() {
    Lab.requireRoot();
    Lab.requirePrograms("tcpdump", "tshark", "ip", "ping", "mergecap");
    Command.run("ip", "netns", "add", namespace);
    Command.run("ip", "-n", namespace, "link", "set", "lo", "up");
  }

  @AfterEach
  void deleteNamespace() {
    Command.status("ip", "netns", "delete", namespace);
  }

  /** Pings over IPv4 and IPv6, as tcpdump sees them on the interface any. */
  private Path recorded(String linkType) {
    Path file = folder.resolve(linkType + ".pcap");
    String[] tcpdump = {
      "tcpdump",
      "-i",
      "any",
      "-y",
      linkType,
      "-c",
      "" + PACKETS,
      "-w",
      file.toString(),
      "icmp or icmp6"
    };
    try (Command recorder = Command.start(Command.in(namespace, List.of(tcpdump)))) {
      recorder.awaitError(said -> said.contains("listening on"));
      for (String address : List.of("127.0.0.1", "::1")) {
        String[] ping = {"ping", "-c", "4", "-i", "0.05", address};
        Command.run(Command.in(namespace, List.of(ping)).toArray(new String[0]));
      }
      assertThat(recorder.awaitExit()).as(recorder.errors()).isZero();
    }
    return file;
  }

  @ParameterizedTest
  @CsvSource({"LINUX_SLL, copy.pcap", "LINUX_SLL2, copy.pcapng"})
  void shouldCountAndCopyWhatTsharkSees(String linkType, String copyName) {
    Path file = recorded(linkType);
    Path copy = folder.resolve(copyName);
    assertThat(capture(file, copy)).isEqualTo(protocols(file)).containsOnlyKeys("icmp", "icmpv6");
    assertThat(hex(copy)).isEqualTo(hex(file));
  }

  @Test
  void shouldKeepInterfacesOfDifferentTypesApart() {
    Path merged = folder.resolve("merged.pcapng");
    Path ethernet = folder.resolve("ethernet.pcap");
    Path mixed = Lab.project().resolve("examples/captures/mixed.pcapng");
    Command.run(
        "tshark", "-r", mixed.toString(), "-c", "100", "-F", "pcap", "-w", ethernet.toString());
    Command.run(
        "mergecap",
        "-a",
        "-w",
        merged.toString(),
        recorded("LINUX_SLL").toString(),
        ethernet.toString(),
        recorded("LINUX_SLL2").toString());
    Path copy = folder.resolve("copy.pcapng");
    capture(merged, copy);
    assertThat(hex(copy)).isEqualTo(hex(merged));
  }

  /** What linerate counts of each protocol, while it copies. */
  private static Map<String, Long> capture(Path file, Path copy) {
    try (Command capture =
        Command.start(
            Command.linerate(
                "capture", "--port", "pcap:rx=" + file, "--write", "" + copy, "--json"))) {
      assertThat(capture.awaitExit()).as(capture.errors()).isZero();
      Summary summary = new Summary(capture.output());
      assertThat(summary.isConserved()).as(summary.json()).isTrue();
      return summary.members("byProtocol");
    }
  }

  private static Map<String, Long> protocols(Path file) {
    Map<String, Long> counts = new TreeMap<>();
    String fields =
        Command.run(
            "tshark", "-r", file.toString(), "-T", "fields", "-e", "ip.proto", "-e", "ipv6.nxt");
    fields
        .lines()
        .forEach(line -> counts.merge(line.strip().equals("1") ? "icmp" : "icmpv6", 1L, Long::sum));
    return counts;
  }

  /** Everything that tshark shows of each packet: its link type, its time, its bytes. */
  private static String hex(Path file) {
    String table =
        Command.run(
            "tshark",
            "-r",
            file.toString(),
            "-T",
            "fields",
            "-e",
            "frame.encap_type",
            "-e",
            "frame.time_epoch",
            "-e",
            "frame.len");
    return table + Command.run("tshark", "-r", file.toString(), "-x");
  }
}
