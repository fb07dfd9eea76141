package io.linerate.graph.element;

import static io.linerate.testkit.graph.FrameBuilder.A4;
import static io.linerate.testkit.graph.FrameBuilder.A6;
import static io.linerate.testkit.graph.FrameBuilder.B4;
import static io.linerate.testkit.graph.FrameBuilder.B6;
import static io.linerate.testkit.graph.FrameBuilder.MAC_A;
import static io.linerate.testkit.graph.FrameBuilder.MAC_B;
import static io.linerate.testkit.graph.FrameBuilder.tcp4;
import static io.linerate.testkit.graph.FrameBuilder.tcp6;
import static io.linerate.testkit.graph.FrameBuilder.udp4;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.linerate.testkit.graph.ElementHarness;
import io.linerate.testkit.graph.FrameBuilder;
import io.linerate.wire.Tcp;
import java.util.List;
import org.junit.jupiter.api.Test;

class TcpResetTest {
  private static FrameBuilder segment4(int flags, long sequence, long acknowledgment) {
    return tcp4()
        .ports(4_000, 80)
        .tcp(tcp -> tcp.flags(flags).sequenceNumber(sequence).acknowledgmentNumber(acknowledgment));
  }

  private static FrameBuilder reset4(int flags, long sequence, long acknowledgment) {
    return tcp4()
        .ethernet(MAC_B, MAC_A)
        .between(B4, A4)
        .ipv4(ip -> ip.identification(0))
        .ports(80, 4_000)
        .tcp(tcp ->
            tcp.flags(flags)
                .sequenceNumber(sequence)
                .acknowledgmentNumber(acknowledgment)
                .window(0));
  }

  private static List<byte[]> resets(FrameBuilder... frames) {
    try (var harness = new ElementHarness(new TcpReset(1_000))) {
      harness.push(frames);
      assertThat(harness.drops()).containsExactly(entry("reported", (long) frames.length));
      return harness.out("out");
    }
  }

  @Test
  void shouldTellReceiversInTheNameOfTheSender() {
    try (var harness = new ElementHarness(new TcpReset(1_000, true))) {
      harness.push(segment4(Tcp.ACK | Tcp.PSH, 1_000, 77).payload(9));
      harness.push(segment4(Tcp.SYN, 1_000, 0).payload(9), segment4(Tcp.RST, 1_000, 0));
      harness.expect(
          "out",
          segment4(Tcp.RST, 1_000, 0).ipv4(ip -> ip.identification(0)).tcp(tcp -> tcp.window(0)));
      assertThat(harness.drops()).containsOnly(entry("reported", 1L), entry("not_reportable", 2L));
    }
  }

  /** RFC 9293, section 3.10.7.1: as whoever has no such connection. */
  @Test
  void shouldHaveTheNumbersThatTheSenderWillBelieve() {
    assertThat(resets(segment4(Tcp.SYN, 0xFFFF_FFFFL, 0)))
        .containsExactly(reset4(Tcp.RST | Tcp.ACK, 0, 0).toBytes());
    assertThat(resets(segment4(Tcp.SYN, 1_000, 0).payload(7)))
        .containsExactly(reset4(Tcp.RST | Tcp.ACK, 0, 1_008).toBytes());
    assertThat(resets(segment4(Tcp.FIN, 1_000, 5)))
        .containsExactly(reset4(Tcp.RST | Tcp.ACK, 0, 1_001).toBytes());
    assertThat(resets(segment4(Tcp.ACK | Tcp.PSH, 1_000, 0xFEDC_BA98L).payload(9)))
        .containsExactly(reset4(Tcp.RST, 0xFEDC_BA98L, 0).toBytes());
  }

  @Test
  void shouldAnswerBehindTagsAndOverIpv6() {
    FrameBuilder six = tcp6().ports(4_000, 80).tcp(tcp -> tcp.flags(Tcp.SYN).sequenceNumber(9));
    FrameBuilder reset =
        tcp6()
            .ethernet(MAC_B, MAC_A)
            .between(B6, A6)
            .ports(80, 4_000)
            .tcp(tcp ->
                tcp.flags(Tcp.RST | Tcp.ACK).sequenceNumber(0).acknowledgmentNumber(10).window(0));
    assertThat(resets(six.vlan(5))).containsExactly(reset.vlan(5).toBytes());
  }

  @Test
  void shouldTellNobodyWhoMustNotBeTold() {
    try (var harness = new ElementHarness(new TcpReset(1_000))) {
      harness.push(
          segment4(Tcp.RST, 1, 1),
          segment4(Tcp.SYN, 1, 1).between("224.0.0.1", B4),
          segment4(Tcp.SYN, 1, 1).between(A4, "224.0.0.1"),
          segment4(Tcp.SYN, 1, 1).bytes(0, 1),
          segment4(Tcp.SYN, 1, 1).bytes(50, 0, 1));
      harness.expectNothing("out");
      assertThat(harness.drops()).containsExactly(entry("not_reportable", 5L));
    }
  }

  @Test
  void shouldPassOnWhatIsNoWholeSegment() {
    FrameBuilder datagram = udp4();
    FrameBuilder fragment = tcp4().fragment(1, 0, true).payload(8);
    FrameBuilder cut = tcp4().bytes(46, 0xF0);
    try (var harness = new ElementHarness(new TcpReset(1_000))) {
      harness.push(datagram, fragment, cut);
      assertThat(harness.out("rest"))
          .containsExactly(FrameBuilder.bytesOf(datagram, fragment, cut));
    }
  }

  @Test
  void shouldKeepToItsRate() {
    try (var harness = new ElementHarness(new TcpReset(10))) {
      harness.push(segment4(Tcp.SYN, 1, 0), segment4(Tcp.SYN, 2, 0));
      assertThat(harness.out("out")).hasSize(1);
      assertThat(harness.drops()).containsEntry("report_limit", 1L);
    }
  }
}
