package io.linerate.apps;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.linerate.testkit.graph.FrameBuilder;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DecodeTest {
  @TempDir Path folder;
  private static final Path MIXED = Path.of("../examples/captures/mixed.pcapng");

  /** Packets of the capture, as {@code capinfos} counts them. */
  private static final int PACKETS =
      Run.of("capture", "--port", "pcap:rx=" + MIXED, "--json").json().get("received").getAsInt();

  @Test
  void shouldPrintALineForEachPacket() {
    Run run = Run.of("decode", MIXED);
    assertThat(run.err()).isEmpty();
    assertThat(run.status()).isZero();
    List<String> lines = run.out().lines().toList();
    assertThat(lines).hasSize(PACKETS);
    assertThat(lines.getLast()).startsWith(PACKETS + " ");
    assertThat(run.out())
        .contains(
            " 10.1.0.10:47256 > 10.1.0.1:80 eth:ip:tcp:http ", " GET / HTTP/1.1 host=10.1.0.1\n");
    assertThat(lines.getFirst()).contains(" 02:00:0a:01:00:01 > ff:ff:ff:ff:ff:ff eth:arp ");
  }

  @Test
  void shouldPrintFieldsInColumns() {
    Run run = Run.of("decode", MIXED, "--fields", "frame.number,ip.src,tcp.port,udp.dstport");
    assertThat(run.status()).isZero();
    List<String> lines = run.out().lines().toList();
    assertThat(lines).hasSize(PACKETS).allMatch(line -> line.split("\t", -1).length == 4);
    assertThat(lines).anyMatch(line -> line.matches("\\d+\t10\\.1\\.0\\.10\t47256,80\t"));
    assertThat(lines.getFirst()).isEqualTo("1\t\t\t");
  }

  /** As tshark does, but for what it says of each layer behind its title. */
  @Test
  void shouldPrintTitlesOfProtocols() {
    Run run = Run.of("decode", MIXED, "--fields", "frame.number,tcp,arp");
    assertThat(run.out().lines().toList())
        .hasSize(PACKETS)
        .startsWith("1\t\tAddress Resolution Protocol")
        .anyMatch(line -> line.matches("\\d+\tTransmission Control Protocol\t"));
  }

  @Test
  void shouldPrintObjectsThatEveryReaderOfJsonReads() {
    Run run = Run.of("decode", MIXED, "--json");
    Set<String> protocols = new TreeSet<>();
    long number = 0;
    for (String line : run.out().lines().toList()) {
      JsonObject packet = JsonParser.parseString(line).getAsJsonObject();
      assertThat(packet.get("number").getAsLong()).isEqualTo(++number);
      for (JsonElement layer : packet.getAsJsonArray("layers")) {
        protocols.add(layer.getAsJsonObject().get("protocol").getAsString());
      }
    }
    assertThat(number).isEqualTo(PACKETS);
    assertThat(protocols).contains("eth", "ip", "tcp", "udp");
  }

  @Test
  void shouldPrintTheShapeOfTshark() {
    JsonArray packets =
        JsonParser.parseString(Run.of("decode", MIXED, "--tshark-json").out()).getAsJsonArray();
    assertThat(packets).hasSize(PACKETS);
    JsonObject layers =
        packets.get(0).getAsJsonObject().getAsJsonObject("_source").getAsJsonObject("layers");
    assertThat(layers.getAsJsonObject("eth").get("eth.src").getAsString())
        .isEqualTo("02:00:0a:01:00:01");
  }

  @Test
  void shouldPrintAllLayersForPeopleAndTheBytesBehind() {
    Run run = Run.of("decode", MIXED, "--text", "--hex", "--packets", 1);
    assertThat(run.out())
        .contains("Ethernet\n", "    Source: 02:00:0a:01:00:01\n", "0010  08 00 06 04 00 01");
    assertThat(run.out().lines().filter(line -> line.startsWith("Frame"))).hasSize(1);
  }

  @Test
  void shouldWriteAParquetFile() throws IOException {
    Path file = folder.resolve("packets.parquet");
    Run run = Run.of("decode", MIXED, "--parquet", file);
    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.out()).isEmpty();
    assertThat(Files.readAllBytes(file))
        .startsWith('P', 'A', 'R', '1')
        .endsWith('P', 'A', 'R', '1');
    Run both = Run.of("decode", MIXED, "--parquet", file, "--fields", "ip.src", "--summary");
    assertThat(both.out()).isEqualTo(Run.of("decode", MIXED).out());
  }

  @Test
  void shouldNotWriteOverWhatItReads() throws IOException {
    Path capture = Files.copy(MIXED, folder.resolve("in.pcapng"));
    Path link = Files.createLink(folder.resolve("link.pcapng"), capture);
    for (String command : List.of("decode", "flows")) {
      for (String source : List.of(capture.toString(), "pcap:loop=2,rx=" + capture)) {
        Run run = Run.of(command, source, "--parquet", link);
        assertThat(run.status()).as(run.err()).isEqualTo(2);
        assertThat(run.err()).contains("written over while it is read").hasLineCount(1);
      }
    }
    assertThat(capture).hasSameBinaryContentAs(MIXED);
  }

  @Test
  void shouldFailWhereAFileCannotBeWritten() {
    Run run = Run.of("decode", MIXED, "--parquet", folder.resolve("no/such.parquet"));
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).contains("no/such.parquet, reason=no such folder").hasLineCount(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"decode", "flows"})
  void shouldLeaveNoFileThatIsNotWhole(String command) throws IOException {
    Path file = folder.resolve("some.parquet");
    Files.writeString(file, "before");
    Run run = Run.of(command, MIXED, "--parquet", file, "--dashboard", "192.0.2.1:1");
    assertThat(run.status()).isNotZero();
    try (Stream<Path> all = Files.list(folder)) {
      assertThat(all).containsExactly(file);
    }
    assertThat(file).hasContent("before");
  }

  @ParameterizedTest
  @ValueSource(strings = {"decode", "flows"})
  void shouldSayWhyAFileIsNotWhole(String command) {
    Assumptions.assumeTrue(Files.exists(Path.of("/dev/full")), "no /dev/full here");
    Run run = Run.of(command, MIXED, "--parquet", "/dev/full");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).contains("file=/dev/full, reason=No space left on device");
  }

  /** As people do who analyse: a column that is counted by its values. */
  @Test
  void shouldBeReadByPython() throws Exception {
    Path file = folder.resolve("packets.parquet");
    assertThat(Run.of("decode", MIXED, "--parquet", file).status()).isZero();
    String ports =
        """
        import sys
        try:
            import pyarrow.parquet as parquet
        except ImportError:
            sys.exit(0)
        t = parquet.read_table(sys.argv[1])
        print(t.num_rows, sum(80 in (v or []) for v in t['tcp.dstport'].to_pylist()))
        """;
    Process python;
    try {
      python = new ProcessBuilder("python3", "-c", ports, file.toString()).start();
    } catch (IOException e) {
      Assumptions.abort("skipped: needs the program python3");
      return;
    }
    String theirs =
        new String(python.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    assertThat(python.waitFor()).isZero();
    Assumptions.assumeFalse(theirs.isEmpty(), "skipped: needs pyarrow in Python");
    long toWeb =
        Run.of("decode", MIXED, "--fields", "tcp.dstport")
            .out()
            .lines()
            .filter("80"::equals)
            .count();
    assertThat(theirs).isEqualTo(PACKETS + " " + toWeb);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --fields ip.scr         | --fields: no such field: name=ip.scr, nearest=ip.src; linerate decode --list-fields
          --fields IP.SRC         | no such field: name=IP.SRC, nearest=ip.src;
          --fields tcp.seq        | no such field: name=tcp.seq, nearest=tcp.seq_raw; numbers are as they are
          --fields tcp.analysis.retransmission | compare tcp.seq_raw
          --fields ip.src,        | name of a field is empty
          --bind udp.port=53:dsn  | wrong binding: --bind udp.port=53:dsn
          --bind udp.port=53:dnss | no such protocol: name=dnss, nearest=dns;
          --bind udp.prt=53:dns   | no such table: name=udp.prt, nearest=udp.port; there are
          --bind udp.port=65536:dns | number is out of range: table=udp.port, number=65536; 0 to 65535
          --bind ip.proto=256:udp | table=ip.proto, number=256; 0 to 255
          --bind udp.port         | write TABLE=NUMBER:PROTOCOL
          --parquet f --fields ip.src,ip.src | two columns have one name: name=ip.src
          --parquet f --hex       | no packets are: --hex with --parquet
          --packets abc           | not a number: --packets abc; 1 and more are allowed
          --feilds ip.src         | no such option: name=--feilds; did you mean --fields?
          --json --text           | one form only: --text, --json
          --policy amiga          | --policy amiga; it can be windows
          --set workers=2         | decode keeps packets in their order
          """)
  void shouldRefuseWhatItCannotDo(String options, String message) {
    Object[] arguments = ("decode " + MIXED + " " + options).split(" ", -1);
    Run run = Run.of(arguments);
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).contains(message).hasLineCount(1);
  }

  /** Parts of messages that wait leave room for packets to come. */
  @Test
  void shouldEndWithFewBuffers() {
    Run run = Run.of("decode", MIXED, "--set", "buffers=64");
    assertThat(run.status()).isZero();
    assertThat(run.out()).hasLineCount(PACKETS);
    assertThat(run.err()).contains("no room for parts of messages", "--set buffers=N");
  }

  @Test
  void shouldFailWithoutTheFile() {
    Run run = Run.of("decode", "missing.pcap");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).contains("missing.pcap");
  }

  @Test
  void shouldTakeAFileWhateverItsName() throws IOException {
    for (String name : List.of("my file,1.pcapng", "a\\b,loop=2", "packet:eth1", "tcp80:x")) {
      Path file = Files.copy(MIXED, folder.resolve(name));
      Run run = Run.of("decode", file);
      assertThat(run.status()).as(run.err()).isZero();
      assertThat(run.out()).hasLineCount(PACKETS);
    }
  }

  @Test
  void shouldSayTheAddressOfAnInterface() {
    for (String command : List.of("decode", "follow", "flows")) {
      Run run = Run.of(command, "lo");
      assertThat(run.status()).isEqualTo(1);
      assertThat(run.err()).contains("such as packet:lo").hasLineCount(1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"decode", "follow", "flows"})
  void shouldReadPipes(String command) throws Exception {
    Assumptions.assumeTrue(
        Run.of("capture", "--port", "libpcap:file=" + MIXED).status() == 0, "no libpcap here");
    Path pipe = folder.resolve("in,1");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    Process writer = new ProcessBuilder("cp", MIXED.toString(), pipe.toString()).start();
    try {
      Run run = Run.of(command, pipe);
      assertThat(run.status()).as(run.err()).isZero();
      assertThat(run.out()).isEqualTo(Run.of(command, MIXED).out());
    } finally {
      writer.destroy();
    }
  }

  @Test
  void shouldReadStandardInput() throws Exception {
    for (ProcessBuilder.Redirect input :
        List.of(ProcessBuilder.Redirect.from(MIXED.toFile()), ProcessBuilder.Redirect.PIPE)) {
      Path out = folder.resolve("out");
      Process process =
          new ProcessBuilder(ChildJvm.command(Main.class.getName(), "decode", "-"))
              .redirectInput(input)
              .redirectOutput(out.toFile())
              .start();
      if (input.type() == ProcessBuilder.Redirect.Type.PIPE) {
        try (OutputStream stdin = process.getOutputStream()) {
          Files.copy(MIXED, stdin);
        }
      }
      assertThat(process.waitFor()).isZero();
      assertThat(out).hasContent(Run.of("decode", MIXED).out());
    }
  }

  @Test
  void shouldListWhatCanBeAskedFor() {
    assertThat(Run.of("decode", "--list-protocols").out()).contains("tcp\tTransmission Control");
    assertThat(Run.of("decode", "--list-fields").out())
        .contains("tcp.dstport\tdecimal\t", "tcp.port\talias\ttcp.srcport, tcp.dstport\n");
  }

  @Test
  void shouldFollowWhatBothEndsSay() {
    Run run = Run.of("follow", MIXED);
    assertThat(run.status()).isZero();
    assertThat(run.out())
        .contains(
            "0 [10.1.0.10:47256 > 10.1.0.1:80]\n",
            "0 > GET / HTTP/1.1\n0 > Host: 10.1.0.1\n",
            "0 < HTTP/1.1 200 OK\n");
    assertThat(Run.of("follow", MIXED, "--stream", 0, "--raw").out())
        .startsWith("GET / HTTP/1.1\r\nHost: 10.1.0.1\r\n");
  }

  @Test
  void shouldBreakLinesWhereTheStreamDoesAndNotWhereItsSegmentsDo() throws IOException {
    List<String> said = List.of("a lo", "ng line\r", "\nand ano", "ther");
    List<byte[]> frames = new ArrayList<>();
    int sequence = 1;
    for (String part : said) {
      frames.add(segment(true, sequence, part));
      sequence += part.length();
    }
    frames.add(segment(false, 1, "an answer"));
    frames.add(segment(true, sequence, "more"));
    Path file = PcapFile.write(folder.resolve("lines.pcap"), frames);
    assertThat(Run.of("follow", file).out())
        .isEqualTo(
            """
            0 [10.0.0.1:1000 > 10.0.0.2:80]
            0 > a long line
            0 > and another
            0 < an answer
            0 > more
            0 [stopped]
            """);
  }

  private static byte[] segment(boolean isToServer, int sequence, String text) {
    return FrameBuilder.tcp4()
        .between(isToServer ? "10.0.0.1" : "10.0.0.2", isToServer ? "10.0.0.2" : "10.0.0.1")
        .ports(isToServer ? 1_000 : 80, isToServer ? 80 : 1_000)
        .tcp(tcp -> tcp.sequenceNumber(sequence).flags(0))
        .payload(text.getBytes(StandardCharsets.US_ASCII))
        .toBytes();
  }

  @Test
  void shouldSayThatThereIsNoSuchStream() {
    Run run = Run.of("follow", MIXED, "--stream", 999);
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).contains("no such stream: --stream 999");
  }

  @Test
  void shouldPutTogetherWhatTsharkPutsTogether() throws IOException {
    List<String> fields =
        List.of("frame.number", "ip.proto", "udp.length", "tcp.len", "dns.id", "dns.qry.name");
    Path parts = Path.of("src/test/resources/io/linerate/apps/parts.pcap");
    Run run = Run.of("decode", parts, "--fields", String.join(",", fields));
    String names = "a.".repeat(100) + "example.org";
    assertThat(run.out()).contains("4\t17\t237\t\t0x0000\t" + names + "\n");
    assertThat(run.out().lines().filter(line -> line.contains("c.c.c.example.org"))).hasSize(2);
    assertThat(run.out()).isEqualTo(tshark(parts, fields));
    String alone = Run.of("decode", parts, "--each-alone", "--fields", "dns.qry.name").out();
    assertThat(alone).doesNotContain(names);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "../examples/captures/mixed.pcapng",
        "../linerate-decode/src/test/resources/io/linerate/decode/captures/http-head.pcap"
      })
  void shouldMatchAnswersWithRequestsAsTsharkDoes(Path file) throws IOException {
    List<String> fields =
        List.of("frame.number", "http.request.method", "http.response.code", "http.content_type");
    Run run = Run.of("decode", file, "--fields", String.join(",", fields));
    assertThat(run.out().lines().filter(line -> line.contains("HEAD"))).isNotEmpty();
    assertThat(run.out()).isEqualTo(tshark(file, fields));
  }

  @Test
  void shouldNumberStreamsAsTsharkDoes() throws IOException {
    List<String> fields = List.of("frame.number", "tcp.stream", "udp.stream");
    Run run = Run.of("decode", MIXED, "--fields", String.join(",", fields));
    assertThat(run.out()).isEqualTo(tshark(MIXED, fields));
  }

  private static String tshark(Path file, List<String> fields) throws IOException {
    List<String> command =
        new ArrayList<>(List.of("tshark", "-n", "-r", file.toString(), "-T", "fields"));
    command.addAll(List.of("-o", "tcp.reassemble_out_of_order:TRUE"));
    fields.forEach(field -> command.addAll(List.of("-e", field)));
    try {
      Process process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
      return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      return Assumptions.abort("tshark is not installed");
    }
  }
}
