package io.linerate.apps;

import static io.linerate.apps.FlowsTest.MIXED;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code linerate flows --window}. */
class FlowWindowsTest {
  @TempDir Path folder;

  private static List<JsonObject> rows(Run run, String kind) {
    return FlowsTest.flows(run).stream()
        .filter(row -> row.get("kind").getAsString().equals(kind))
        .toList();
  }

  private static long sum(List<JsonObject> rows, String name) {
    return rows.stream().mapToLong(row -> row.get(name).getAsLong()).sum();
  }

  @Test
  void shouldPrintLinesForPeople() {
    Run run = Run.of("flows", MIXED, "--window", "10s", "--top", 2);
    assertThat(run.status()).isZero();
    assertThat(run.out())
        .startsWith("2026-11-21 21:19:00.000, 10 s: 35 packets, 3,224 bytes, 18 flows; new 0 tcp")
        .containsPattern(
            " {7}1 {7}1 {2}tcp 10\\.1\\.0\\.10:47272 > 10\\.1\\.0\\.1:80 +31 +1,701 +140 +204,133\n")
        .containsPattern(" +1 +1 +10\\.1\\.0\\.1 +397 +283,969 +336 +89,190\n")
        .contains("               13  www.example.test\n");
    assertThat(run.err())
        .isEqualTo(
            "linerate: 5 windows of 2,921 packets, 846,303 bytes; 31 packets not IP, or malformed\n");
  }

  @Test
  void shouldHaveEveryPacketInAWindow() {
    Run run = Run.of("flows", MIXED, "--window", "1s", "--json", "--top", 1_000);
    List<JsonObject> windows = rows(run, "window");
    assertThat(windows).hasSizeGreaterThan(20);
    assertThat(sum(windows, "packets")).isEqualTo(2_921);
    assertThat(sum(windows, "bytes")).isEqualTo(846_303);
    for (String name : List.of("packets", "bytes")) {
      List<JsonObject> flows = rows(run, "flow");
      assertThat(sum(flows, name) + sum(flows, name + "Back")).isEqualTo(sum(windows, name));
      List<JsonObject> hosts = rows(run, "host");
      assertThat(sum(hosts, name)).isEqualTo(sum(windows, name));
    }
    assertThat(sum(rows(run, "name"), "questions")).isEqualTo(sum(windows, "questions"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"100ms", "1s", "7s", "24h"})
  void shouldSayTheSameEveryTimeAndOnTwoWorkers(String window) {
    Run run = Run.of("flows", MIXED, "--window", window, "--json", "--scan-hosts", 3);
    assertThat(run.status()).as(run.err()).isZero();
    assertThat(Run.of("flows", MIXED, "--window", window, "--json", "--scan-hosts", 3).out())
        .isEqualTo(run.out());
    Run onTwo =
        Run.of(
            "flows", MIXED, "--window", window, "--json", "--scan-hosts", 3, "--set", "workers=2");
    assertThat(onTwo.out()).isEqualTo(run.out());
  }

  @Test
  void shouldWriteAParquetFileAndPrintNothing() throws IOException {
    Path file = folder.resolve("windows.parquet");
    Run run = Run.of("flows", MIXED, "--window", "1s", "--parquet", file);
    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.out()).isEmpty();
    byte[] bytes = Files.readAllBytes(file);
    assertThat(bytes).startsWith('P', 'A', 'R', '1').endsWith('P', 'A', 'R', '1');
    try (var files = Files.list(folder)) {
      assertThat(files).containsExactly(file);
    }
  }

  @Test
  void shouldFailWhereAFileCannotBeWritten() {
    Run run =
        Run.of("flows", MIXED, "--window", "1s", "--parquet", folder.resolve("no/such.parquet"));
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).contains("no/such.parquet").hasLineCount(1);
  }

  @Test
  void shouldSayWhatIsNotInItsWindow() throws IOException {
    Path file = folder.resolve("many.pcap");
    List<byte[]> frames = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      byte[] frame = new byte[60];
      frame[12] = 8;
      frame[14] = 0x45;
      frame[17] = 40;
      frame[23] = 17;
      frame[35] = (byte) i;
      frames.add(frame);
    }
    PcapFile.write(file, frames);
    Run run = Run.of("flows", file, "--window", "1s", "--json", "--max", 8);
    assertThat(run.status()).isZero();
    assertThat(rows(run, "window").getFirst().get("flows").getAsLong()).isEqualTo(32);
    assertThat(run.err())
        .contains("1 windows of 32 packets")
        .contains("warning: reports lack what was dropped: too_many_keys=18; ")
        .contains("give more by --max")
        .contains("warning: flow tables were full: evictedFlows=24; ")
        .hasLineCount(3);
  }

  @Test
  void shouldSayWhatCameTooLate() throws IOException {
    Path file = folder.resolve("late.pcap");
    byte[] frame = new byte[60];
    frame[12] = 8;
    frame[14] = 0x45;
    frame[17] = 40;
    frame[23] = 17;
    PcapFile.write(file, Collections.nCopies(2_500, frame));
    byte[] bytes = Files.readAllBytes(file);
    ByteBuffer.wrap(bytes)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(24 + 2_400 * 76, 1_700_000_001); // Once the second after has passed.
    Files.write(file, bytes);
    Run run = Run.of("flows", file, "--window", "1s", "--json");
    assertThat(sum(rows(run, "window"), "packets")).isEqualTo(2_499);
    assertThat(run.err()).contains("late=1; packets were older", "give more by --late");
    Run patient = Run.of("flows", file, "--window", "1s", "--json", "--late", "2s");
    assertThat(sum(rows(patient, "window"), "packets")).isEqualTo(2_500);
    assertThat(patient.err()).doesNotContain("late");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --window 1ms                   | wrong time: --window 1ms; 10ms to 24h are allowed
          --window soon                  | --window: not a time
          --window 1s --late 25h         | wrong time: --late 25h; 1ms to 24h are allowed
          --window 1s --top 0            | wrong value: --top 0
          --window 1s --scan-ports 0     | wrong value: --scan-ports 0
          --window 1s --scan-hosts -1    | wrong value: --scan-hosts -1
          --window 1s --flood-syns x     | not a number: --flood-syns x
          --window 1s --ipfix 1.2.3.4:5  | option is of single flows: --ipfix; leave it out, or --window
          --window 1s --active 2s        | option is of single flows: --active
          --scan-ports 5                 | option is of windows: --scan-ports; add --window TIME
          --late 1s                      | option is of windows: --late
          """)
  void shouldRefuseWhatItCannotDo(String options, String message) {
    Object[] arguments = ("flows " + MIXED + " " + options).split(" +", -1);
    Run run = Run.of(arguments);
    assertThat(run.status()).as(run.err()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).contains(message).hasLineCount(1);
  }
}
