package io.linerate.apps;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FlowsTest {
  static final Path MIXED = Path.of("../examples/captures/mixed.pcapng");

  @TempDir Path folder;

  /** The flows that a run has printed. */
  static List<JsonObject> flows(Run run) {
    return run.out().lines().map(line -> JsonParser.parseString(line).getAsJsonObject()).toList();
  }

  static long sum(List<JsonObject> flows, String name) {
    String reverse = "reverse" + Character.toUpperCase(name.charAt(0)) + name.substring(1);
    return flows.stream()
        .mapToLong(flow ->
            flow.get(name).getAsLong() + (flow.has(reverse) ? flow.get(reverse).getAsLong() : 0))
        .sum();
  }

  @Test
  void shouldPrintALineForEachFlow() {
    Run run = Run.of("flows", MIXED);
    assertThat(run.status()).isZero();
    List<String> lines = run.out().lines().toList();
    assertThat(lines).hasSize(269);
    assertThat(lines.get(0)).startsWith("start (UTC)");
    assertThat(run.out())
        .containsPattern("tcp +10.1.0.12:45926 +> 10.1.0.1:80 +34 +42,887 +32 +2,159 +end\n");
    assertThat(run.err())
        .isEqualTo(
            "linerate: 268 flows of 2,921 packets, 846,303 bytes; 0 ended for lack of room; 31 packets not IP, 0 malformed\n");
  }

  @Test
  void shouldHaveEveryPacketInAFlow() {
    JsonObject capture =
        Run.of("capture", "--port", "pcap:rx=" + MIXED + ",linktype=any", "--json").json();
    List<JsonObject> flows = flows(Run.of("flows", MIXED, "--json"));
    assertThat(sum(flows, "packetDeltaCount")).isEqualTo(capture.get("received").getAsLong() - 31);
  }

  @Test
  void shouldSplitFlowsByTheActiveTimeout() {
    List<JsonObject> whole = flows(Run.of("flows", MIXED, "--json"));
    List<JsonObject> parts =
        flows(Run.of("flows", MIXED, "--json", "--active", "1s", "--idle", "1s"));
    assertThat(parts).hasSizeGreaterThan(whole.size());
    for (String name : List.of("packetDeltaCount", "octetDeltaCount", "layer2OctetDeltaCount")) {
      assertThat(sum(parts, name)).isEqualTo(sum(whole, name));
    }
  }

  @Test
  void shouldKeepWithinItsRoom() {
    Run run = Run.of("flows", MIXED, "--json", "--max", 8);
    List<JsonObject> flows = flows(run);
    assertThat(flows).anyMatch(flow -> flow.get("flowEndReason").getAsInt() == 5);
    assertThat(sum(flows, "packetDeltaCount")).isEqualTo(2_921);
  }

  @Test
  void shouldPrintTheLargestAlone() {
    List<JsonObject> all = flows(Run.of("flows", MIXED, "--json"));
    List<JsonObject> top = flows(Run.of("flows", MIXED, "--json", "--top", 7));
    long[] largest =
        all.stream().mapToLong(flow -> sum(List.of(flow), "octetDeltaCount")).toArray();
    Arrays.sort(largest);
    assertThat(top).hasSize(7);
    for (int i = 0; i < 7; i++) {
      assertThat(sum(List.of(top.get(i)), "octetDeltaCount"))
          .isEqualTo(largest[largest.length - 1 - i]);
    }
  }

  @Test
  void shouldSayTheSameEveryTime() {
    assertThat(Run.of("flows", MIXED, "--json").out())
        .isEqualTo(Run.of("flows", MIXED, "--json").out());
  }

  @Test
  void shouldStopAfterSoManyPackets() {
    assertThat(sum(flows(Run.of("flows", MIXED, "--json", "--packets", 900)), "packetDeltaCount"))
        .isBetween(800L, 900L);
  }

  @Test
  void shouldWriteAParquetFile() throws IOException {
    Path file = folder.resolve("flows.parquet");
    Run run = Run.of("flows", MIXED, "--parquet", file);
    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.out()).isEmpty();
    byte[] bytes = Files.readAllBytes(file);
    assertThat(bytes).startsWith('P', 'A', 'R', '1').endsWith('P', 'A', 'R', '1');
  }

  @Test
  void shouldFailWhereAFileCannotBeWritten() {
    Run run = Run.of("flows", MIXED, "--parquet", folder.resolve("no/such.parquet"));
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).contains("no/such.parquet").hasLineCount(1);
  }

  @Test
  void shouldFailWithoutACollectorThatConnects() {
    Run run = Run.of("flows", MIXED, "--ipfix", "127.0.0.1:1,tcp");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).contains("collector does not answer: address=127.0.0.1:1,tcp");
  }

  @Test
  void shouldReadMalformedPackets() throws IOException {
    Path file = folder.resolve("odd.pcap");
    byte[] frame = new byte[60];
    frame[12] = 8;
    PcapFile.write(file, List.of(new byte[] {1}, new byte[14], frame, new byte[] {}));
    Run run = Run.of("flows", file);
    assertThat(run.status()).isZero();
    assertThat(run.err()).contains("0 flows of 0 packets").contains("malformed");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --active 1ms           | not a time-out: --active 1ms; 1s to 24h are allowed
          --idle soon            | --idle: not a time
          --max 7                | wrong value: --max 7
          --top 0                | wrong value: --top 0
          --ipfix 192.0.2.1      | not a collector: --ipfix 192.0.2.1; write HOST:PORT
          --ipfix 192.0.2.1:0    | not a collector
          --set ports=ring:      | name the source itself
          """)
  void shouldRefuseWhatItCannotDo(String options, String message) {
    Object[] arguments = ("flows " + MIXED + " " + options).split(" ", -1);
    Run run = Run.of(arguments);
    assertThat(run.status()).as(run.err()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).contains(message).hasLineCount(1);
  }
}
