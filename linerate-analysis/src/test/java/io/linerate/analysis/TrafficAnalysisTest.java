package io.linerate.analysis;

import static io.linerate.testkit.graph.FrameBuilder.A4;
import static io.linerate.testkit.graph.FrameBuilder.A6;
import static io.linerate.testkit.graph.FrameBuilder.B4;
import static io.linerate.testkit.graph.FrameBuilder.B6;
import static io.linerate.testkit.graph.FrameBuilder.icmp4;
import static io.linerate.testkit.graph.FrameBuilder.tcp4;
import static io.linerate.testkit.graph.FrameBuilder.tcp6;
import static io.linerate.testkit.graph.FrameBuilder.udp4;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.linerate.graph.Graph;
import io.linerate.stream.Streams;
import io.linerate.testkit.graph.ElementHarness;
import io.linerate.testkit.graph.FrameBuilder;
import io.linerate.wire.Icmp;
import io.linerate.wire.IpProtocol;
import io.linerate.wire.Tcp;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TrafficAnalysisTest {
  private static final long SECOND_NS = 1_000_000_000;
  private static final int SYN_ACK = Tcp.SYN | Tcp.ACK;
  private static final AnalysisSettings RECORDED =
      AnalysisSettings.DEFAULT.withDelay(Duration.ZERO).ofRecorded(true);

  private ElementHarness harness = harness(RECORDED);

  private static ElementHarness harness(AnalysisSettings settings) {
    Graph graph =
        Streams.graph(
            s -> TrafficAnalysis.reports(s.packets(s.graph().input("in")), settings).out("out"));
    return new ElementHarness(graph);
  }

  private void with(UnaryOperator<AnalysisSettings> change) {
    harness.close();
    harness = harness(change.apply(RECORDED));
  }

  @AfterEach
  void close() {
    harness.close();
  }

  /** The reports of what has come until now. */
  private List<WindowReport> reports() {
    harness.end();
    return harness.tokens("out").stream().map(WindowReport.class::cast).toList();
  }

  private WindowReport report() {
    List<WindowReport> reports = reports();
    assertThat(reports).hasSize(1);
    return reports.getFirst();
  }

  private static FrameBuilder tcp(String from, int port, String to, int toPort, int flags) {
    return tcp4().between(from, to).ports(port, toPort).tcp(tcp -> tcp.flags(flags));
  }

  private static HostAddress ipv4(int a, int b, int c, int d) {
    return new HostAddress(4, 0, ((long) a << 24) | (b << 16) | (c << 8) | d);
  }

  static FrameBuilder question(int port, String name) {
    return ask(port, name.split("\\.", -1));
  }

  private static FrameBuilder ask(int port, String... labels) {
    ByteArrayOutputStream message = new ByteArrayOutputStream();
    message.writeBytes(new byte[] {0, 7, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0});
    for (String label : labels) {
      byte[] bytes = label.getBytes(StandardCharsets.ISO_8859_1);
      message.write(bytes.length);
      message.writeBytes(bytes);
    }
    message.writeBytes(new byte[] {0, 0, 1, 0, 1});
    return udp4().ports(port, 53).payload(message.toByteArray());
  }

  @Test
  void shouldAddUpFlowsAndHostsOfEachWindow() {
    harness.push(udp4().ports(1_000, 2_000).payload(72));
    harness.push(udp4().between(B4, A4).ports(2_000, 1_000).payload(172));
    harness.push(tcp6().ports(40_000, 443).payload(40));
    harness.advance(SECOND_NS);
    harness.push(udp4().between(B4, A4).ports(2_000, 1_000).payload(72));
    List<WindowReport> reports = reports();
    HostAddress a4 = ipv4(192, 0, 2, 1);
    HostAddress b4 = ipv4(198, 51, 100, 2);
    assertThat(reports).hasSize(2);
    WindowReport first = reports.getFirst();
    assertThat(first.endNs() - first.startNs()).isEqualTo(SECOND_NS);
    assertThat(first.packets()).isEqualTo(3);
    assertThat(first.bytes()).isEqualTo(100 + 200 + 100);
    assertThat(first.flows()).isEqualTo(2);
    assertThat(first.flowsByBytes())
        .containsExactly(
            new FlowTraffic(IpProtocol.UDP, a4, 1_000, b4, 2_000, 1, 100, 1, 200),
            new FlowTraffic(
                IpProtocol.TCP,
                new HostAddress(6, 0x2001_0DB8_0000_0000L, 1),
                40_000,
                new HostAddress(6, 0x2001_0DB8_0001_0000L, 2),
                443,
                1,
                100,
                0,
                0));
    assertThat(first.flowsByPackets()).isEqualTo(first.flowsByBytes());
    assertThat(first.hostsByBytes())
        .extracting(host -> host.host().toString())
        .containsExactly(A4, B4, A6, B6);
    assertThat(first.hostsByBytes().getFirst()).isEqualTo(new HostTraffic(a4, 1, 1, 100, 1, 200));
    // Who has begun is remembered; it is no new connection.
    WindowReport second = reports.getLast();
    assertThat(second.startNs()).isEqualTo(first.endNs());
    assertThat(second.flowsByBytes())
        .containsExactly(new FlowTraffic(IpProtocol.UDP, a4, 1_000, b4, 2_000, 0, 0, 1, 100));
    assertThat(first.udpConnections()).isEqualTo(1);
    assertThat(second.udpConnections()).isZero();
  }

  @Test
  void shouldKeepTheLargestByBytesAndByPackets() {
    with(settings -> settings.withTop(2));
    for (int i = 0; i < 10; i++) {
      for (int k = 0; k < 10 - i; k++) {
        harness.push(udp4().ports(1_000 + i, 53).payload(10 + 100 * i));
      }
    }
    WindowReport report = report();
    assertThat(report.flows()).isEqualTo(10);
    assertThat(report.flowsByPackets())
        .extracting(FlowTraffic::sourcePort)
        .containsExactly(1_000, 1_001);
    assertThat(report.flowsByBytes())
        .extracting(FlowTraffic::sourcePort)
        .containsExactly(1_005, 1_004);
    assertThat(report.hostsByBytes()).hasSize(2);
    assertThat(report.hostsByBytes().getFirst().packets()).isEqualTo(55);
  }

  @Test
  void shouldCountNewConnections() {
    harness.push(tcp(A4, 1, B4, 80, Tcp.SYN), tcp(A4, 1, B4, 80, Tcp.SYN));
    harness.push(tcp(B4, 80, A4, 1, SYN_ACK), tcp(A4, 1, B4, 80, Tcp.ACK));
    harness.push(tcp(A4, 2, B4, 80, Tcp.SYN), tcp(A4, 3, B4, 80, Tcp.ACK));
    harness.push(tcp(B4, 80, A4, 4, SYN_ACK));
    harness.push(udp4().ports(5, 6), udp4().between(B4, A4).ports(6, 5), udp4().ports(7, 6));
    harness.push(icmp4().icmp(icmp -> icmp.type(Icmp.ECHO).identifier(9)));
    WindowReport report = report();
    assertThat(report.tcpConnections()).isEqualTo(2);
    assertThat(report.udpConnections()).isEqualTo(2);
    assertThat(report.connectionsPerSecond()).isEqualTo(4.0);
  }

  /** As the flow table has it: a flow without packets for that long has ended. */
  @Test
  void shouldCountAFlowOfUdpAgainThatWasIdle() {
    with(settings -> settings.withIdle(Duration.ofSeconds(5)));
    harness.push(udp4().ports(5, 6));
    harness.advance(4 * SECOND_NS);
    harness.push(udp4().between(B4, A4).ports(6, 5));
    harness.advance(4 * SECOND_NS);
    harness.push(udp4().ports(5, 6));
    harness.advance(5 * SECOND_NS);
    harness.push(udp4().ports(5, 6));
    assertThat(reports()).extracting(WindowReport::udpConnections).containsExactly(1L, 0L, 0L, 1L);
  }

  /** Whichever end has begun each time; the source is that of the first time. */
  @Test
  void shouldHaveOneFlowThatItsOtherEndBeginsAnew() {
    with(settings ->
        settings.withWindow(Duration.ofHours(24)).withIdle(Duration.ofSeconds(5)).withScans(1, 1));
    harness.push(udp4().between(B4, A4).ports(6, 5).payload(10));
    harness.advance(6 * SECOND_NS);
    harness.push(udp4().between(A4, B4).ports(5, 6).payload(20));
    WindowReport report = report();
    HostAddress a4 = ipv4(192, 0, 2, 1);
    HostAddress b4 = ipv4(198, 51, 100, 2);
    assertThat(report.flowsByBytes())
        .containsExactly(new FlowTraffic(IpProtocol.UDP, b4, 6, a4, 5, 1, 38, 1, 48));
    assertThat(report.flows()).isEqualTo(1);
    assertThat(report.udpConnections()).isEqualTo(2);
    assertThat(report.portScans()).extracting(PortScan::source).containsExactly(a4, b4);
  }

  @Test
  void shouldSayWhereItsFlowTableWasFull() {
    with(settings -> settings.withMostFlows(8));
    for (int i = 0; i < 10; i++) {
      harness.push(udp4().ports(1_000 + i, 53));
    }
    harness.advance(SECOND_NS);
    harness.push(udp4().ports(1_009, 53));
    assertThat(reports()).extracting(WindowReport::evictedFlows).containsExactly(2L, 0L);
  }

  @Test
  void shouldCountNamesThatAreAskedFor() {
    with(settings -> settings.withTop(2));
    harness.push(question(1, "www.Example.org"), question(2, "www.example.org"));
    harness.push(question(3, "b.example"), question(4, "a.example"));
    harness.push(
        question(5, "c\033[2J\"\\\u00e9.example"), question(5, "c\033[2J\"\\\u00e9.example"));
    harness.push(question(1, "www.example.org").ports(1, 5_353));
    WindowReport report = report();
    assertThat(report.questions()).isEqualTo(6);
    assertThat(report.names())
        .containsExactly(
            new NameCount("c\\027[2j\\\"\\\\\\233.example", 2),
            new NameCount("www.example.org", 2));
  }

  @Test
  void shouldTellADotWithinALabelFromOneBetweenLabels() {
    harness.push(ask(1, "www.example", "org"), ask(2, "www", "example", "org"));
    harness.push(ask(3, "www\\", "example", "org"), ask(4, "www.example", "org"));
    assertThat(report().names())
        .containsExactly(
            new NameCount("www\\.example.org", 2),
            new NameCount("www.example.org", 1),
            new NameCount("www\\\\.example.org", 1));
  }

  @Test
  void shouldTellOfScansFromTheirThresholdsOn() {
    with(settings -> settings.withScans(20, 10));
    for (int i = 0; i < 20; i++) {
      harness.push(tcp("10.0.0.1", 5_000, B4, 100 + i, Tcp.SYN));
      harness.push(tcp("10.0.0.1", 5_000, B4, 100 + i, Tcp.SYN)); // Sent again.
      harness.push(tcp(B4, 100 + i, "10.0.0.1", 5_000, Tcp.RST | Tcp.ACK));
      FrameBuilder udp = udp4().between("10.0.0.2", B4);
      harness.push(i < 19 ? udp.ports(7, 1_000 + i) : udp.ports(8, 1_000)); // 19 ports.
    }
    for (int i = 0; i < 10; i++) {
      harness.push(tcp("10.0.0.3", 6_000 + i, "10.9.0." + i, 22, Tcp.SYN));
      harness.push(icmp4().between("10.0.0.4", "10.9.0." + i).icmp(icmp -> icmp.type(Icmp.ECHO)));
      // Not begun there, and too few.
      harness.push(tcp("10.0.0.5", 22, "10.9.1." + i, 6_000, SYN_ACK));
      harness.push(tcp("10.0.0.6", 6_000, "10.9.2." + i % 9, 22 + i, Tcp.SYN));
    }
    WindowReport report = report();
    assertThat(report.portScans())
        .containsExactly(new PortScan(ipv4(10, 0, 0, 1), ipv4(198, 51, 100, 2), 20));
    assertThat(report.hostScans())
        .containsExactly(
            new HostScan(ipv4(10, 0, 0, 3), 10, 1), new HostScan(ipv4(10, 0, 0, 4), 10, 0));
  }

  @Test
  void shouldTellOfFloodsOfSynsThatAreNotCompleted() {
    with(settings -> settings.withFloodSyns(30));
    for (int i = 0; i < 30; i++) {
      String source = "10.0." + i % 20 + ".1";
      harness.push(tcp(source, 1_000 + i, B4, 80, Tcp.SYN));
      harness.push(tcp(B4, 80, source, 1_000 + i, SYN_ACK));
      harness.push(tcp(source, 1_000 + i, B4, 443, Tcp.SYN));
      if (i < 5) {
        harness.push(tcp(source, 1_000 + i, B4, 80, Tcp.SYN)); // Sent again.
      } else if (i == 5) {
        harness.push(tcp(source, 1_000 + i, B4, 443, Tcp.ACK)); // Completed: 29 are left.
      }
      harness.push(tcp(source, 1_000 + i, B4, 443, Tcp.RST | Tcp.ACK));
    }
    assertThat(report().synFloods())
        .containsExactly(new SynFlood(ipv4(198, 51, 100, 2), 80, 35, 30, 20));
  }

  /** A connection that goes the other way between the same ports. */
  @Test
  void shouldKnowConnectionsOfBothDirections() {
    with(settings -> settings.withFloodSyns(1));
    harness.push(tcp(A4, 1, B4, 2, Tcp.SYN), tcp(B4, 2, A4, 1, Tcp.SYN));
    WindowReport report = report();
    assertThat(report.flows()).isEqualTo(1);
    assertThat(report.tcpConnections()).isEqualTo(2);
    assertThat(report.synFloods()).extracting(SynFlood::port).containsExactly(1, 2);
  }

  @Test
  void shouldDropWhatItHasNoRoomFor() {
    with(settings -> settings.withMostFlows(8));
    for (int i = 0; i < 40; i++) {
      harness.push(udp4().ports(1_000 + i, 53));
    }
    WindowReport report = report();
    assertThat(report.flows()).isEqualTo(32);
    assertThat(report.packets()).isEqualTo(32);
    assertThat(report.dropped()).isEqualTo(8);
    assertThat(report.evictedFlows()).isEqualTo(32); // All but those that there is room for.
    assertThat(harness.counts().tokens().dropped()).containsEntry("too_many_keys", 8L);
  }

  /** Names that somebody makes up are many: flows have their room all the same. */
  @Test
  void shouldHaveRoomForFlowsWhateverNamesAreAskedFor() {
    with(settings -> settings.withMostFlows(8));
    for (int i = 0; i < 100; i++) {
      harness.push(question(1, "host" + i + ".example"));
    }
    for (int i = 0; i < 31; i++) {
      harness.push(udp4().ports(1_000 + i, 80));
    }
    harness.advance(SECOND_NS);
    harness.push(question(1, "host99.example"));
    List<WindowReport> reports = reports();
    WindowReport report = reports.getFirst();
    assertThat(report.flows()).isEqualTo(32);
    assertThat(report.packets()).isEqualTo(131);
    assertThat(report.questions()).isEqualTo(8);
    assertThat(report.dropped()).isEqualTo(92);
    assertThat(reports.getLast().questions()).isEqualTo(1);
    assertThat(reports.getLast().dropped()).isZero();
  }

  @Test
  void shouldEndWindowsByTheClockWherePacketsComeAsTheyAreSent() {
    with(settings -> settings.ofRecorded(false));
    harness.push(udp4().ports(1, 2));
    harness.advance(2 * SECOND_NS);
    for (int i = 0; i < 200; i++) {
      harness.round();
    }
    assertThat(harness.tokens("out")).hasSize(1);
  }

  @Test
  void shouldRefuseWhatCannotBe() {
    AnalysisSettings usual = AnalysisSettings.DEFAULT;
    assertThatIllegalArgumentException()
        .isThrownBy(() -> usual.withWindow(Duration.ofMillis(9)))
        .withMessage("bad window: window=PT0.009S; give 10 ms to 24 h");
    assertThatIllegalArgumentException().isThrownBy(() -> usual.withWindow(Duration.ofDays(2)));
    assertThatIllegalArgumentException().isThrownBy(() -> usual.withDelay(Duration.ofNanos(-1)));
    assertThatIllegalArgumentException().isThrownBy(() -> usual.withMostFlows(1));
    assertThatIllegalArgumentException().isThrownBy(() -> usual.withIdle(Duration.ZERO));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> usual.withTop(0))
        .withMessage("bad setting: top=0; give 1 to 100000");
    assertThatIllegalArgumentException().isThrownBy(() -> usual.withScans(0, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> usual.withFloodSyns(0));
  }
}
