package io.linerate.apps;

import static io.linerate.testkit.graph.FrameBuilder.arp;
import static io.linerate.testkit.graph.FrameBuilder.icmp4;
import static io.linerate.testkit.graph.FrameBuilder.tcp4;
import static io.linerate.testkit.graph.FrameBuilder.udp4;
import static io.linerate.testkit.graph.FrameBuilder.udp6;
import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.testkit.graph.FrameBuilder;
import io.linerate.wire.Arp;
import io.linerate.wire.Icmp;
import io.linerate.wire.IpProtocol;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The programs of examples/ that are graphs, on capture files; and the page about all of them. */
class GraphExamplesTest {
  private static final Path EXAMPLES = Path.of("..", "examples");
  private static final Path CAPTURE = EXAMPLES.resolve("captures/mixed.pcapng");
  private static final Path PAGE = Path.of("..", "docs", "examples.md");
  private static final String NEAR = "02:00:00:00:00:0a";
  private static final String FAR = "02:00:00:00:00:0b";

  /** The programs' addresses on their two links. */
  private static final String LEFT = "02:00:5e:10:00:01";

  private static final String RIGHT = "02:00:5e:10:00:02";
  private static final String ALL = "ff:ff:ff:ff:ff:ff";
  private static final Pattern COUNTED =
      Pattern.compile("\\(\\.\\./examples/(\\w+)\\.java\\) \\| (\\d+) \\|");

  @TempDir Path folder;

  private Path capture(String name, FrameBuilder... frames) throws IOException {
    return PcapFile.write(
        folder.resolve(name + "-in.pcap"), Arrays.asList(FrameBuilder.bytesOf(frames)));
  }

  /** An address of a port with what it receives and where it sends to. */
  private String port(String name, FrameBuilder... frames) throws IOException {
    return "pcap:rx=" + capture(name, frames) + ",tx=" + folder.resolve(name + ".pcap");
  }

  private List<String> sent(String name) throws IOException {
    return PcapFile.records(folder.resolve(name)).stream()
        .map(record -> record.substring(record.lastIndexOf(' ') + 1))
        .toList();
  }

  private static List<String> hex(FrameBuilder... frames) {
    return Stream.of(FrameBuilder.bytesOf(frames)).map(HexFormat.of()::formatHex).toList();
  }

  private String run(String program, String... arguments) throws Exception {
    List<Object> words = new ArrayList<>(List.of(EXAMPLES.resolve(program + ".java")));
    words.addAll(List.of(arguments));
    try (ChildJvm child = new ChildJvm(folder, words.toArray())) {
      assertThat(child.status()).as(ChildJvm.text(folder, "err")).isZero();
    }
    return ChildJvm.text(folder, "out");
  }

  @Test
  void shouldRoute() throws Exception {
    FrameBuilder packet = udp4().between("10.77.1.1", "10.77.2.2").payload(20);
    FrameBuilder ping = icmp4().between("10.77.1.1", "10.77.1.254").payload(20);
    FrameBuilder toRouter = packet.ethernet(NEAR, LEFT);
    String left =
        port(
            "left",
            toRouter,
            toRouter.ipv4(ip -> ip.ttl(1)),
            toRouter.bytes(24, 1, 1),
            ping.ethernet(NEAR, LEFT));
    String right =
        port(
            "right",
            arp(Arp.REQUEST, FAR, "10.77.2.2", ALL, "10.77.2.254"),
            arp(Arp.REPLY, FAR, "10.77.2.2", RIGHT, "10.77.2.254"));
    String said = run("Router", left, right);
    assertThat(sent("right.pcap"))
        .containsAll(
            hex(
                arp(Arp.REPLY, RIGHT, "10.77.2.254", FAR, "10.77.2.2"),
                packet.ethernet(RIGHT, FAR).ipv4(ip -> ip.ttl(63))));
    assertThat(sent("left.pcap"))
        .containsAll(hex(ping("10.77.1.254", "10.77.1.1").ethernet(LEFT, NEAR)))
        .anyMatch(frame -> frame.contains("0b00")); // Time exceeded.
    assertThat(said).contains("dropped as bad_ip_checksum: 1", "ended as reported: 1");
  }

  private static FrameBuilder ping(String from, String to) {
    return icmp4().between(from, to).icmp(icmp -> icmp.type(Icmp.ECHO_REPLY)).payload(20);
  }

  @Test
  void shouldTranslate() throws Exception {
    FrameBuilder out = tcp4().payload(20).ethernet(NEAR, LEFT).between("10.77.1.9", "192.0.2.2");
    FrameBuilder in = udp4().payload(20).ethernet(FAR, RIGHT).between("192.0.2.2", "198.51.100.9");
    String inside = port("inside", out, out.between("10.88.1.9", "192.0.2.2"));
    String outside = port("outside", arp(Arp.REPLY, FAR, "192.0.2.2", RIGHT, "192.0.2.254"), in);
    assertThat(run("Translator", inside, outside)).contains("dropped as untranslated: 1");
    assertThat(sent("outside.pcap"))
        .containsAll(
            hex(
                out.ethernet(RIGHT, FAR)
                    .between("198.51.100.9", "192.0.2.2")
                    .ipv4(ip -> ip.ttl(63))));
    assertThat(sent("inside.pcap")).containsAll(hex(question(LEFT, "10.77.1.254", "10.77.1.9")));
  }

  /** What who has to send something asks. */
  private static FrameBuilder question(String mac, String address, String of) {
    return arp(Arp.REQUEST, mac, address, "00:00:00:00:00:00", of).padding(18);
  }

  @Test
  void shouldWorkOnTwoWorkers() throws Exception {
    FrameBuilder datagram = udp4().payload(100);
    byte[] udp = Arrays.copyOfRange(datagram.toBytes(), 34, 34 + 108);
    FrameBuilder first =
        FrameBuilder.ipv4()
            .protocol(IpProtocol.UDP)
            .fragment(0x1234, 0, true)
            .payload(Arrays.copyOf(udp, 64));
    FrameBuilder last =
        FrameBuilder.ipv4()
            .protocol(IpProtocol.UDP)
            .fragment(0x1234, 64, false)
            .payload(Arrays.copyOfRange(udp, 64, 108));
    Path in = capture("in", first, udp6(), last);
    Path out = folder.resolve("out.pcap");
    String said = run("Pipeline", "pcap:rx=" + in, "pcap:tx=" + out, "--set", "workers=2");
    assertThat(said).contains("reassembled: 1", "flows: 2");
    assertThat(sent("out.pcap")).containsExactlyInAnyOrderElementsOf(hex(udp6(), datagram));
  }

  @Test
  void shouldSpreadFlows() throws Exception {
    List<String> arguments = new ArrayList<>(List.of("pcap:rx=" + CAPTURE));
    for (int i = 0; i < 3; i++) {
      arguments.add("pcap:tx=" + folder.resolve("out" + i + ".pcap"));
    }
    String said = run("FlowSwitch", arguments.toArray(String[]::new));
    List<String> all = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      assertThat(sent("out" + i + ".pcap")).hasSizeGreaterThan(100);
      assertThat(said).contains("out%d: %d".formatted(i, sent("out" + i + ".pcap").size()));
      all.addAll(sent("out" + i + ".pcap"));
    }
    assertThat(all).hasSize(2_952);
    assertThat(Collections.disjoint(tcpFlows("out0.pcap"), tcpFlows("out1.pcap"))).isTrue();
  }

  /** Addresses and ports of TCP over IPv4, of both directions. */
  private List<String> tcpFlows(String name) throws IOException {
    return sent(name).stream()
        .filter(frame -> frame.startsWith("080045", 24) && frame.startsWith("06", 46))
        .map(frame -> {
          String source = frame.substring(52, 60) + frame.substring(68, 72);
          String destination = frame.substring(60, 68) + frame.substring(72, 76);
          return source.compareTo(destination) < 0 ? source + destination : destination + source;
        })
        .distinct()
        .toList();
  }

  @Test
  void shouldBeReadAndSetFromAShell() throws Exception {
    Path source = EXAMPLES.resolve("Thinner.java");
    String port = "pcap:rx=" + CAPTURE + ",loop=forever";
    try (ChildJvm child =
        new ChildJvm(
            folder,
            source,
            port,
            "pcap:tx=/dev/null",
            "--every",
            "7",
            "--dashboard",
            "127.0.0.1:0")) {
      String program = String.valueOf(child.pid());
      long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(180);
      while (child.isAlive()
          && System.nanoTime() < endNs
          && Run.of("ctl", program, "read", "thin.n").status() != 0) {
        Thread.sleep(50);
      }
      assertThat(Run.of("ctl", program, "read", "thin.n").out().strip()).isEqualTo("7");
      assertThat(Run.of("ctl", program, "write", "thin.n", "3").status()).isZero();
      assertThat(Run.of("ctl", program, "read", "thin.n").out().strip()).isEqualTo("3");
      child.terminate();
      assertThat(child.status()).as(ChildJvm.text(folder, "err")).isZero();
    }
    assertThat(ChildJvm.text(folder, "out")).contains("dropped as thinned");
  }

  /** Lines that are neither empty nor a comment; and no file has more than 60 in all. */
  @Test
  void shouldBeAsLongAsThePageSays() throws Exception {
    String page = Files.readString(PAGE);
    List<MatchResult> rows = COUNTED.matcher(page).results().toList();
    for (MatchResult row : rows) {
      List<String> lines = Files.readAllLines(EXAMPLES.resolve(row.group(1) + ".java"));
      assertThat(lines).hasSizeLessThanOrEqualTo(60);
      assertThat(lines.stream().filter(GraphExamplesTest::isCode).count())
          .as(row.group(1))
          .isEqualTo(Long.parseLong(row.group(2)));
    }
    try (Stream<Path> files = Files.list(EXAMPLES)) {
      assertThat(
              files
                  .map(file -> file.getFileName().toString())
                  .filter(name -> name.endsWith(".java")))
          .containsExactlyInAnyOrderElementsOf(
              rows.stream().map(row -> row.group(1) + ".java").toList());
    }
  }

  private static boolean isCode(String line) {
    return !line.isBlank() && !line.strip().matches("(//|/\\*|\\*).*");
  }
}
