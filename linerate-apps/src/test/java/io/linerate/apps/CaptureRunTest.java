package io.linerate.apps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CaptureRunTest {
  @TempDir Path folder;

  private Path frames(String name, int count) throws IOException {
    List<byte[]> frames = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      frames.add(Frame.udp(i % 200, 60 + i % 1_400));
    }
    return PcapFile.write(folder.resolve(name), frames);
  }

  @Test
  void shouldWriteWhatItReceives() throws IOException {
    Path in = frames("in.pcap", 1_000);
    Path out = folder.resolve("out.pcap");
    Run run = Run.of("capture", "--port", "pcap:rx=" + in, "--write", out, "--json");
    assertThat(run.status()).as(run.err()).isZero();
    assertThat(PcapFile.records(out)).isEqualTo(PcapFile.records(in));
    assertThat(run.json().keySet())
        .containsExactly(
            "program",
            "durationSeconds",
            "ports",
            "received",
            "made",
            "takenOver",
            "sent",
            "dropped",
            "handedOver",
            "inFlight",
            "exceptions",
            "failures",
            "bySize",
            "byProtocol");
    assertThat(run.json().get("dropped")).hasToString("{\"consumed\":1000}");
  }

  @Test
  void shouldCutWhatItWritesAtTheSnapLength() throws IOException {
    Path in = frames("in.pcap", 10);
    Path out = folder.resolve("out.pcap");
    Run.of("capture", "--port", "pcap:rx=" + in, "--write", out, "--snaplen", 40);
    List<String> expected =
        PcapFile.records(in).stream()
            .map(record -> record.substring(0, record.lastIndexOf(' ') + 1 + 80))
            .toList();
    assertThat(PcapFile.records(out)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 63, 64, 65, 100, 997})
  void shouldStopAtExactlyTheNumberOfPackets(int packets) throws IOException {
    Path a = frames("a.pcap", 600);
    Path b = frames("b.pcap", 600);
    Run run =
        Run.of("capture", "--port", "pcap:rx=" + a, "pcap:rx=" + b, "--packets", packets, "--json");
    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.number("received")).isEqualTo(packets);
    assertThat(run.dropped("consumed")).isEqualTo(packets);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "udp",
        "tcp port 80 or icmp6",
        "not (ip or arp)",
        "vlan and ip",
        "len > 200 and ip[8] > 1"
      })
  void shouldCaptureWhatTcpdumpDoes(String filter) throws Exception {
    assumeTrue(new ProcessBuilder("which", "tcpdump").start().waitFor() == 0, "no tcpdump");
    Path in = Path.of("../examples/captures/mixed.pcapng");
    Path out = folder.resolve("out.pcap");
    Path judge = folder.resolve("judge.pcap");
    Process tcpdump =
        new ProcessBuilder(
                "tcpdump",
                "--time-stamp-precision=nano",
                "-r",
                in.toString(),
                "-w",
                judge.toString(),
                filter)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    Run run =
        Run.of("capture", "--port", "pcap:rx=" + in, "--write", out, "--json", "--filter", filter);
    assertThat(run.status()).as(run.err()).isZero();
    assertThat(tcpdump.waitFor()).isZero();
    List<String> expected = PcapFile.records(judge);
    assertThat(bytes(PcapFile.records(out))).isEqualTo(bytes(expected));
    assertThat(run.dropped("consumed")).isEqualTo(expected.size());
    assertThat(run.dropped("filtered")).isEqualTo(run.number("received") - expected.size());
  }

  /** Without their times, of which tcpdump may write fewer digits. */
  private static List<String> bytes(List<String> records) {
    return records.stream().map(record -> record.substring(record.lastIndexOf(' ') + 1)).toList();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 64, 65, 300})
  void shouldCountPacketsThatTheFilterAccepts(int packets) throws IOException {
    Path a = frames("a.pcap", 600);
    Path b = frames("b.pcap", 600);
    Run run =
        Run.of(
            "capture",
            "--port",
            "pcap:rx=" + a,
            "pcap:rx=" + b,
            "--packets",
            packets,
            "--filter",
            "ip[15] & 1 = 1",
            "--json");
    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.dropped("consumed")).isEqualTo(packets);
    assertThat(run.number("received")).isBetween(2L * packets - 1, 2L * packets + 1);
  }

  @Test
  void shouldCountSizesAndProtocols() throws IOException {
    List<byte[]> frames = new ArrayList<>();
    for (int length :
        new int[] {14, 63, 64, 65, 127, 128, 255, 256, 511, 512, 1_023, 1_024, 1_518, 1_519}) {
      frames.add(length < 42 ? new byte[length] : Frame.udp(1, length));
    }
    frames.add(new byte[5]);
    Path in = PcapFile.write(folder.resolve("in.pcap"), frames);
    Run run = Run.of("capture", "--port", "pcap:rx=" + in, "--json");
    assertThat(run.json().get("bySize"))
        .hasToString(
            "{\"under64\":3,\"64\":1,\"65-127\":2,\"128-255\":2,\"256-511\":2,\"512-1023\":2,"
                + "\"1024-1518\":2,\"over1518\":1}");
    assertThat(run.json().get("byProtocol"))
        .hasToString("{\"udp\":13,\"other\":1,\"malformed\":1}");
  }

  @Test
  void shouldWriteTheGoodPacketsOfADamagedFileAndFail() throws IOException {
    Path in = frames("in.pcap", 20);
    List<String> good = PcapFile.records(in).subList(0, 19);
    byte[] bytes = Files.readAllBytes(in);
    Files.write(in, Arrays.copyOf(bytes, bytes.length - 1));
    Path out = folder.resolve("out.pcap");
    Run run = Run.of("capture", "--port", "pcap:rx=" + in, "--write", out);
    assertThat(run.status()).isEqualTo(1);
    assertThat(PcapFile.records(out)).isEqualTo(good);
    assertThat(run.out()).startsWith("capture: 19 received");
    assertThat(run.err()).startsWith("linerate: ").contains(in.toString()).hasLineCount(1);
  }

  @Test
  void shouldStopWhenTheTimeIsUp() throws IOException {
    Path in = frames("in.pcap", 10);
    Run run =
        Run.of(
            "capture",
            "--port",
            "pcap:rx=" + in + ",loop=forever",
            "--duration",
            "1s",
            "--stats",
            "50ms",
            "--json");
    assertThat(run.status()).isZero();
    assertThat(run.number("received")).isGreaterThan(10);
    assertThat(run.err()).contains(" received, ").containsPattern(" [0-9.]+ [kM]?pps\n");
    assertThat(run.json().get("durationSeconds").getAsDouble()).isBetween(0.9, 60.0);
  }

  @Test
  void shouldFailWhenTheFileCannotBeWritten() throws IOException {
    Path in = frames("in.pcap", 10);
    Run run = Run.of("capture", "--port", "pcap:rx=" + in, "--write", folder.resolve("no/where"));
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).startsWith("linerate: ").contains("no/where").hasLineCount(1);
  }

  @Test
  void shouldFailWhenTheDiskIsFull() throws IOException {
    assumeTrue(Files.exists(Path.of("/dev/full")), "no /dev/full");
    Path in = frames("in.pcap", 3_000);
    Run run = Run.of("capture", "--port", "pcap:rx=" + in, "--write", "/dev/full", "--json");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).startsWith("linerate: ").contains("/dev/full").hasLineCount(1);
    assertThat(run.json().has("received")).isTrue();
  }
}
