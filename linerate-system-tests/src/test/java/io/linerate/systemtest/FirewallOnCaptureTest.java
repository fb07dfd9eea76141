package io.linerate.systemtest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The example of the README, beside tshark: which packets must pass is worked out from tshark's
 * fields, not by Linerate.
 */
class FirewallOnCaptureTest {
  private final Path project = Lab.project();

  @TempDir Path folder;

  @BeforeEach
  void requireLab() {
    Lab.requirePrograms("tshark", "editcap", "capinfos");
  }

  @Test
  void shouldWriteExactlyThePacketsThatTheRulesPass() throws IOException {
    requireExactly(project.resolve("examples/captures/mixed.pcapng"), folder.resolve("out.pcapng"));
  }

  @Test
  void shouldDoTheSameWithPacketsWithoutEthernetHeaders() throws IOException {
    Path untagged = folder.resolve("untagged.pcap");
    Path raw = folder.resolve("raw.pcap");
    String mixed = project.resolve("examples/captures/mixed.pcapng").toString();
    String isIp = "eth.type == 0x0800 || eth.type == 0x86dd";
    Command.run("tshark", "-r", mixed, "-Y", isIp, "-F", "nsecpcap", "-w", untagged.toString());
    Command.run(
        "editcap",
        "-F",
        "nsecpcap",
        "-T",
        "rawip",
        "-L",
        "-C",
        "14",
        untagged.toString(),
        raw.toString());
    requireExactly(raw, folder.resolve("out.pcap"));
    assertThat(Command.run("capinfos", "-E", folder.resolve("out.pcap").toString()))
        .contains("Raw IP");
  }

  private void requireExactly(Path input, Path output) throws IOException {
    Path rules = project.resolve("examples/firewall.rules");

    String[] arguments = {
      "firewall",
      project.resolve("examples/firewall.properties").toString(),
      "--set",
      "ports=in=pcap:rx=" + input + "; out=pcap:tx=" + output,
      "--set",
      "rules=" + rules,
      "--json"
    };
    Summary summary;
    try (Command firewall = Command.start(Command.linerate(arguments))) {
      assertThat(firewall.awaitExit()).as(firewall.errors()).isZero();
      summary = new Summary(firewall.output());
    }

    RulesOracle oracle = RulesOracle.read(rules);
    List<Integer> passing = new ArrayList<>();
    List<String> frames = frames(input);
    for (int i = 0; i < frames.size(); i++) {
      if (oracle.passes(frames.get(i))) {
        passing.add(i + 1);
      }
    }
    assertThat(passing.size())
        .as("the rules pass some and drop some")
        .isBetween(1, frames.size() - 1);
    assertThat(summary.isConserved()).as(summary.json()).isTrue();
    assertThat(summary.received()).isEqualTo(frames.size());
    assertThat(summary.sent()).isEqualTo(passing.size());
    assertThat(bytes(output)).isEqualTo(bytes(select(input, passing)));
  }

  /** One line a frame: the fields that rules are about. */
  private static List<String> frames(Path capture) {
    List<String> words =
        new ArrayList<>(List.of("tshark", "-r", capture.toString(), "-T", "fields"));
    // Without reassembly each fragment speaks for itself.
    words.addAll(List.of("-o", "ip.defragment:FALSE", "-o", "ipv6.defragment:FALSE"));
    for (String field : RulesOracle.FIELDS) {
      words.addAll(List.of("-e", field));
    }
    words.addAll(List.of("-E", "separator=|", "-E", "occurrence=a"));
    return Command.run(words.toArray(new String[0])).lines().toList();
  }

  private Path select(Path capture, List<Integer> frames) {
    Path selected = folder.resolve("expected.pcapng");
    List<String> words =
        new ArrayList<>(List.of("editcap", "-r", capture.toString(), selected.toString()));
    words.addAll(ranges(frames));
    Command.run(words.toArray(new String[0]));
    return selected;
  }

  /** editcap takes 512 selections at most: neighbours are joined. */
  private static List<String> ranges(List<Integer> frames) {
    List<String> ranges = new ArrayList<>();
    int start = 0;
    for (int i = 1; i <= frames.size(); i++) {
      if (i == frames.size() || frames.get(i) != frames.get(i - 1) + 1) {
        ranges.add(frames.get(start) + "-" + frames.get(i - 1));
        start = i;
      }
    }
    return ranges;
  }

  /**
   * The packets of a capture, with their times and all their bytes, in a form that has nothing else
   * in it.
   */
  private byte[] bytes(Path capture) throws IOException {
    Path plain = folder.resolve(capture.getFileName() + ".plain.pcap");
    Command.run("editcap", "-F", "nsecpcap", capture.toString(), plain.toString());
    byte[] all = Files.readAllBytes(plain);
    int fileHeader = 24; // It has the snap length, which may differ.
    byte[] records = new byte[all.length - fileHeader];
    System.arraycopy(all, fileHeader, records, 0, records.length);
    return records;
  }
}
