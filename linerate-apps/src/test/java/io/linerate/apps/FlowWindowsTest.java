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
      byte[] frame = udp();
      frame[35] = (byte) i;
      frames.add(frame);
    }
    PcapFile.write(file, frames);
    Run run = Run.of("flows", file, "--window", "1s", "--json", "--max", 8);
    assertThat(run.status()).isZero();
    JsonObject window = rows(run, "window").getFirst();
    assertThat(window.get("flows").getAsLong()).isEqualTo(32);
    assertThat(window.get("dropped").getAsLong()).isEqualTo(18);
    assertThat(Run.of("flows", file, "--window", "1s", "--max", 8).out())
        .contains(" 0 questions for names; 18 dropped for lack of room\n");
    assertThat(run.err())
        .contains("1 windows of 32 packets")
        .contains("warning: reports lack what was dropped: too_many_keys=18; ")
        .contains("give more by --max")
        .contains("warning: flow tables were full: evictedFlows=42; ")
        .hasLineCount(3);
  }

  private static byte[] udp() {
    byte[] frame = new byte[60];
    frame[12] = 8;
    frame[14] = 0x45;
    frame[17] = 40;
    frame[23] = 17;
    return frame;
  }

  @Test
  void shouldSayWhatCameTooLate() throws IOException {
    Path file = folder.resolve("late.pcap");
    PcapFile.write(file, Collections.nCopies(2_500, udp()));
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

  /** A record whose time nobody else has, wherever it stands, costs no other its window. */
  @ParameterizedTest
  @CsvSource({
    "1000, 4000000000, 1",
    "0, 4000000000, 1",
    "1000, 0, 1",
    "1000, 4000000000, 2",
    "0, 0, 2"
  })
  void shouldDropAPacketWhoseTimeIsFarFromAllOthers(int number, long seconds, int workers)
      throws IOException {
    Path file = folder.resolve("jump.pcap");
    PcapFile.write(file, Collections.nCopies(2_500, udp()));
    byte[] bytes = Files.readAllBytes(file);
    ByteBuffer.wrap(bytes)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(24 + number * 76, (int) seconds)
        .putInt(24 + 2_499 * 76, 1_700_000_010);
    Files.write(file, bytes);
    Run run = Run.of("flows", file, "--window", "10s", "--json", "--set", "workers=" + workers);
    assertThat(rows(run, "window"))
        .extracting(row -> row.get("packets").getAsLong())
        .contains(2_498L)
        .last()
        .isEqualTo(1L);
    if (number == 0 && seconds == 0) { // Nobody knows which of the first two is wrong.
      assertThat(sum(rows(run, "window"), "packets")).isEqualTo(2_500);
    } else {
      assertThat(run.err())
          .contains(seconds == 0 ? "late=1; " : "time_jump=1; their times are far from those");
    }
  }

  @Test
  void shouldHaveAllPacketsOfACaptureWhereDaysAreBetweenThem() throws IOException {
    Path file = folder.resolve("days.pcap");
    PcapFile.write(file, Collections.nCopies(7, udp()));
    byte[] bytes = Files.readAllBytes(file);
    for (int i = 0; i < 7; i++) {
      ByteBuffer.wrap(bytes)
          .order(ByteOrder.LITTLE_ENDIAN)
          .putInt(24 + i * 76, 1_700_000_000 + i / 2 * 200_000);
    }
    Files.write(file, bytes);
    Run run = Run.of("flows", file, "--window", "1s", "--json");
    assertThat(rows(run, "window"))
        .extracting(row -> row.get("packets").getAsLong())
        .containsExactly(2L, 2L, 2L, 1L);
    assertThat(run.err()).doesNotContain("warning");
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
