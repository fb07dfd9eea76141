package io.linerate.apps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What another program says of generated packets. */
class GenerateTsharkTest {
  private static final int PACKETS = 10_000;
  private static final long TIMEOUT_S = 120;

  /** Of a checksum: tshark's "Good". */
  private static final String GOOD = "1";

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "udp, 4, 64-1518, udp.checksum.status",
    "udp, 6, 84-1518, udp.checksum.status",
    "tcp, 4, 76-1518, tcp.checksum.status",
    "tcp, 6, 96-1518, tcp.checksum.status",
    "icmp, 4, imix, icmp.checksum.status",
    "icmp, 6, 84-1518, icmpv6.checksum.status",
    "udp, 4, 64, udp.checksum.status",
    "tcp, 4, 9000, tcp.checksum.status",
    "arp, 4, 64-1518, arp.opcode"
  })
  void shouldBeSoundWhateverTheProtocolSizeAndVersion(
      String protocol, int version, String size, String sign) throws Exception {
    requireTshark();
    Path out = folder.resolve("out.pcap");
    List<Object> words = new ArrayList<>();
    words.addAll(List.of("generate", "--port", "pcap:tx=" + out, "--packets", PACKETS));
    words.addAll(List.of("--protocol", protocol, "--ip", version, "--size", size));
    words.addAll(
        version == 4
            ? List.of("--src", "10.0.0.0/8,random", "--dst", "192.0.2.0/24,step=7")
            : List.of("--src", "2001:db8::/32,random", "--dst", "2001:db8::-2001:db8::ff"));
    if (protocol.equals("arp")) {
      words.addAll(List.of("--vlan", 7));
    } else {
      words.addAll(List.of("--sequence", "--timestamps"));
    }
    Run run = Run.of(words.toArray());
    assertThat(run.status()).as(run.err()).isZero();

    List<String> verdicts = tshark(out, "_ws.malformed", "ip.checksum.status", sign);
    assertThat(verdicts).hasSize(PACKETS);
    String ip = version == 4 && !protocol.equals("arp") ? GOOD : "";
    assertThat(verdicts).containsOnly("|" + ip + "|" + GOOD);
  }

  private static void requireTshark() {
    boolean isThere =
        Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
            .anyMatch(place -> Files.isExecutable(Path.of(place, "tshark")));
    assumeTrue(isThere, "skipped: needs the program tshark");
  }

  private List<String> tshark(Path file, String... fields) throws Exception {
    List<String> words = new ArrayList<>(List.of("tshark", "-n", "-r", file.toString()));
    for (String check : List.of("ip", "udp", "tcp")) {
      words.addAll(List.of("-o", check + ".check_checksum:TRUE"));
    }
    words.addAll(List.of("-T", "fields", "-E", "separator=|"));
    for (String field : fields) {
      words.addAll(List.of("-e", field));
    }
    Path verdicts = folder.resolve("verdicts");
    Process tshark =
        new ProcessBuilder(words)
            .redirectOutput(verdicts.toFile())
            .redirectError(folder.resolve("errors").toFile())
            .start();
    try {
      assertThat(tshark.waitFor(TIMEOUT_S, TimeUnit.SECONDS)).isTrue();
    } finally {
      tshark.destroyForcibly();
    }
    assertThat(tshark.exitValue()).isZero();
    return Files.readAllLines(verdicts, StandardCharsets.UTF_8);
  }
}
