package io.linerate.apps;

import static io.linerate.testkit.graph.FrameBuilder.tcp4;
import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.testkit.firehose.FireHose;
import io.linerate.testkit.graph.FrameBuilder;
import io.linerate.wire.Tcp;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The programs of examples/: short, and started from their sources as a reader would. */
class ExamplesTest {
  private static final Path EXAMPLES = Path.of("..", "examples");
  private static final Path STREAMS = Path.of("..", "docs", "streams.md");

  @TempDir Path folder;

  @Test
  void shouldCountPacketsInTenLines() throws Exception {
    Path source = EXAMPLES.resolve("PacketCounter.java");
    assertThat(Files.readAllLines(source)).hasSizeLessThanOrEqualTo(10);
    Path in =
        PcapFile.write(folder.resolve("in.pcap"), List.of(Frame.udp(1, 64), Frame.udp(2, 99)));
    try (ChildJvm child = new ChildJvm(folder, source, "pcap:rx=" + in)) {
      assertThat(child.status()).as(ChildJvm.text(folder, "err")).isZero();
    }
    assertThat(ChildJvm.text(folder, "out")).contains("2 received", "ended as consumed: 2");
  }

  @Test
  void shouldSayWhatItDidWhenInterrupted() throws Exception {
    Path source = EXAMPLES.resolve("PacketCounter.java");
    Path in = PcapFile.write(folder.resolve("in.pcap"), List.of(Frame.udp(1, 64)));
    try (ChildJvm child =
        new ChildJvm(
            folder, source, "pcap:rx=" + in + ",loop=forever,pace=recorded", "--stats", "50ms")) {
      while (child.isAlive() && !ChildJvm.text(folder, "err").contains("received")) {
        Thread.sleep(20);
      }
      child.terminate();
      assertThat(child.status()).as(ChildJvm.text(folder, "err")).isZero();
    }
    assertThat(ChildJvm.text(folder, "out")).contains("received", "ended as consumed");
  }

  /** Nobody who runs two of them loses what the first wrote, or finds it in a commit. */
  @Test
  void shouldWriteFilesOfTheirOwnThatGitIgnores() throws Exception {
    List<String> written = new ArrayList<>();
    try (DirectoryStream<Path> configurations =
        Files.newDirectoryStream(EXAMPLES, "*.properties")) {
      for (Path configuration : configurations) {
        Pattern.compile("\\btx=([^,;\\s]+)")
            .matcher(Files.readString(configuration))
            .results()
            .forEach(output -> written.add(output.group(1)));
      }
    }
    assertThat(written).hasSizeGreaterThan(1).doesNotHaveDuplicates();
    assertThat(Files.readAllLines(EXAMPLES.resolveSibling(".gitignore"))).containsAll(written);
  }

  @Test
  void shouldStandInTheReadmeAsItIs() throws Exception {
    assertThat(Path.of("..", "README.md"))
        .content()
        .contains("```java\n" + Files.readString(EXAMPLES.resolve("PacketCounter.java")) + "```");
    String talkers = Files.readString(EXAMPLES.resolve("Talkers.java")).indent(-2);
    int from = talkers.indexOf("Window<Sent> second");
    String graph = talkers.substring(from, talkers.indexOf("}\n", from));
    assertThat(Path.of("..", "README.md")).content().contains("```java\n" + graph + "```");
  }

  @Test
  void shouldRunTheGraphOfThePageAboutElements() throws Exception {
    Path source = EXAMPLES.resolve("SoundFrames.java");
    assertThat(Path.of("..", "docs", "add-an-element.md"))
        .content()
        .contains("```java\n" + Files.readString(source) + "```");
    List<byte[]> frames = List.of(Frame.udp(1, 64), new byte[59], Frame.udp(2, 60));
    Path in = PcapFile.write(folder.resolve("in.pcap"), frames);
    Path out = folder.resolve("out.pcap");
    try (ChildJvm child = new ChildJvm(folder, source, "pcap:rx=" + in, "pcap:tx=" + out)) {
      assertThat(child.status()).as(ChildJvm.text(folder, "err")).isZero();
    }
    assertThat(PcapFile.records(out)).hasSize(2);
    assertThat(ChildJvm.text(folder, "out"))
        .contains("dropped as frame_too_short: 1", "sound frames: 2");
  }

  @Test
  void shouldCountTheNamesThatAreAskedFor() throws Exception {
    Path in =
        Path.of("..", "linerate-decode", "src", "test", "resources")
            .resolve("io/linerate/decode/captures/dns-records.pcap");
    try (ChildJvm child =
        new ChildJvm(folder, EXAMPLES.resolve("DnsNames.java"), "pcap:rx=" + in)) {
      assertThat(child.status()).as(ChildJvm.text(folder, "err")).isZero();
    }
    assertThat(ChildJvm.text(folder, "out"))
        .contains("names: {_sip._udp.example.com=1, www.example.com=19}");
  }

  @Test
  void shouldAddUpWhatHostsSendInEachSecond() throws Exception {
    Path in =
        PcapFile.write(
            folder.resolve("in.pcap"),
            List.of(Frame.udp(1, 100), Frame.udp(2, 80), Frame.udp(1, 60)));
    try (ChildJvm child = new ChildJvm(folder, EXAMPLES.resolve("Talkers.java"), "pcap:rx=" + in)) {
      assertThat(child.status()).as(ChildJvm.text(folder, "err")).isZero();
    }
    assertThat(ChildJvm.text(folder, "out")).contains(" 160", " 80");
  }

  @Test
  void shouldCountWords() throws Exception {
    Path in = Files.writeString(folder.resolve("text"), "One two,\n\ntwo; three Two two\n");
    assertThat(run(EXAMPLES.resolve("Words.java"), "--file", in.toString()))
        .containsExactlyInAnyOrder("1 One", "3 two", "1 three", "1 Two");
  }

  @Test
  void shouldBringMessagesFromOneHostToAnotherAndEnd() throws Exception {
    assertThat(run(EXAMPLES.resolve("Messages.java"), "ring:wire", "ring:wire"))
        .containsExactly("one", "two", "three");
  }

  /** The lines that a program prints before its summary. */
  private List<String> run(Path source, String... arguments) throws Exception {
    List<Object> words = new ArrayList<>(List.of(source));
    words.addAll(List.of(arguments));
    words.add("--json"); // The summary is the last line then.
    try (ChildJvm child = new ChildJvm(folder, words.toArray())) {
      assertThat(child.status()).as(ChildJvm.text(folder, "err")).isZero();
    }
    List<String> lines = ChildJvm.text(folder, "out").lines().toList();
    assertThat(lines).isNotEmpty().last().asString().startsWith("{");
    return lines.subList(0, lines.size() - 1);
  }

  @Test
  void shouldStandOnThePageAboutStreamsAsTheyAre() throws Exception {
    String messages = Files.readString(EXAMPLES.resolve("Messages.java"));
    String hosts = messages.substring(messages.indexOf("final"), messages.indexOf("void main"));
    for (String code :
        List.of(
            Files.readString(EXAMPLES.resolve("Words.java")),
            hosts + messages.substring(messages.indexOf("void wire")))) {
      assertThat(STREAMS).content().contains("```java\n" + code + "```");
    }
  }

  @Test
  void shouldRunTheGraphsOfThePageAboutStreams() throws Exception {
    String graphs =
        Pattern.compile("```java\n((?:s\\.|Node ).*?)```", Pattern.DOTALL)
            .matcher(Files.readString(STREAMS))
            .results()
            .map(found -> "{\n" + found.group(1) + "}\n")
            .collect(Collectors.joining());
    Path source =
        Files.writeString(
            folder.resolve("Page.java"),
            """
            import io.linerate.graph.*;
            import io.linerate.program.*;
            import io.linerate.stream.*;
            void main(String[] arguments) {
              Graph graph = Streams.graph(s -> {
                %s
              });
              Program.named("page").main(arguments, graph);
            }
            """
                .formatted(graphs));
    List<String> lines = run(source);
    assertThat(lines).contains("0: 49500", "9: 50400");
    assertThat(lines.stream().filter("1"::equals)).as("by the cycle").hasSize(99);
  }

  /** The answer that the authors of the benchmark publish. */
  @Test
  void shouldFindKeysThatAreBiased() throws Exception {
    FireHose hose = FireHose.powerLaw();
    List<byte[]> frames = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      frames.add(FrameBuilder.udp4().payload(hose.nextPacket()).toBytes());
    }
    frames.add(FrameBuilder.udp4().payload(new byte[] {'0', '\n'}).toBytes()); // The end.
    Path in = PcapFile.write(folder.resolve("in.pcap"), frames);
    try (ChildJvm child =
        new ChildJvm(folder, EXAMPLES.resolve("FireHose.java"), "pcap:rx=" + in)) {
      assertThat(child.status()).as(ChildJvm.text(folder, "err")).isZero();
    }
    assertThat(ChildJvm.text(folder, "out").lines().filter(line -> line.contains(" = ")))
        .containsExactly(
            "true anomaly = 1000000065", "true anomaly = 1000000183", "true anomaly = 1000000333");
  }

  @Test
  void shouldSayWhoScans() throws Exception {
    List<byte[]> frames = new ArrayList<>();
    for (int i = 1; i <= 120; i++) {
      frames.add(tcp4().ports(40_000, i).tcp(tcp -> tcp.flags(Tcp.SYN)).toBytes());
    }
    Path in = PcapFile.write(folder.resolve("in.pcap"), frames);
    try (ChildJvm child = new ChildJvm(folder, EXAMPLES.resolve("Scans.java"), "pcap:rx=" + in)) {
      assertThat(child.status()).as(ChildJvm.text(folder, "err")).isZero();
    }
    assertThat(ChildJvm.text(folder, "out"))
        .contains("PortScan[source=192.0.2.1, destination=198.51.100.2, ports=120]");
  }

  @Test
  void shouldFilterPacketsInThirtyLines() throws Exception {
    Path source = EXAMPLES.resolve("Firewall.java");
    assertThat(Files.readAllLines(source)).hasSizeLessThanOrEqualTo(30);
    List<byte[]> frames = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      byte[] frame = Frame.udp(i, 64 + i);
      if (i % 3 == 0) { // 10.1.7.i
        frame[27] = 1;
        frame[28] = 7;
      }
      frames.add(frame);
    }
    frames.add(new byte[10]);
    Path in = PcapFile.write(folder.resolve("in.pcap"), frames);
    Path out = folder.resolve("out.pcap");
    try (ChildJvm child = new ChildJvm(folder, source, "pcap:rx=" + in, "pcap:tx=" + out)) {
      assertThat(child.status()).as(ChildJvm.text(folder, "err")).isZero();
    }
    List<String> expected = new ArrayList<>(PcapFile.records(in).subList(0, 40));
    for (int i = 39; i >= 0; i -= 3) {
      expected.remove(i);
    }
    assertThat(PcapFile.records(out)).isEqualTo(expected);
    assertThat(ChildJvm.text(folder, "out")).contains("dropped as rule: 14", "malformed: 1");
  }

  @Test
  void shouldRaiseARateInFifteenLines() throws Exception {
    Path source = EXAMPLES.resolve("Ramp.java");
    assertThat(Files.readAllLines(source)).hasSizeLessThanOrEqualTo(15);
    Path out = folder.resolve("out.pcap");
    try (ChildJvm child = new ChildJvm(folder, source, "pcap:tx=" + out)) {
      assertThat(child.status()).as(ChildJvm.text(folder, "err")).isZero();
    }
    // 100 ms each of 10, 20, 30, 40 and 50 kpps, and 500 ms of 1 kpps.
    // Each rate may have its first and its last packet within its time: one more than rate by time.
    // A machine under load may keep the generator from its CPU for longer than its grace.
    assertThat(PcapFile.records(out).size()).isBetween(1, 15_506);
    assertThat(ChildJvm.text(folder, "out")).contains("packets sent", "stream probe at 1kpps");
  }
}
