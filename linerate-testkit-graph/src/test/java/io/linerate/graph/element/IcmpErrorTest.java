package io.linerate.graph.element;

import static io.linerate.testkit.graph.FrameBuilder.A4;
import static io.linerate.testkit.graph.FrameBuilder.A6;
import static io.linerate.testkit.graph.FrameBuilder.B4;
import static io.linerate.testkit.graph.FrameBuilder.B6;
import static io.linerate.testkit.graph.FrameBuilder.MAC_A;
import static io.linerate.testkit.graph.FrameBuilder.MAC_B;
import static io.linerate.testkit.graph.FrameBuilder.icmp4;
import static io.linerate.testkit.graph.FrameBuilder.icmp6;
import static io.linerate.testkit.graph.FrameBuilder.ipv4;
import static io.linerate.testkit.graph.FrameBuilder.ipv6;
import static io.linerate.testkit.graph.FrameBuilder.tcp4;
import static io.linerate.testkit.graph.FrameBuilder.tcp6;
import static io.linerate.testkit.graph.FrameBuilder.udp4;
import static io.linerate.testkit.graph.FrameBuilder.udp6;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.linerate.testkit.graph.ElementHarness;
import io.linerate.testkit.graph.FrameBuilder;
import io.linerate.wire.Arp;
import io.linerate.wire.Icmp;
import io.linerate.wire.Icmpv6;
import io.linerate.wire.IpProtocol;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class IcmpErrorTest {
  private static final String OWN4 = "203.0.113.1";
  private static final String OWN6 = "2001:db8:ffff::1";

  /** Internetwork control: RFC 1812, section 5.3.2. */
  private static final int CONTROL = 48;

  private static FrameBuilder message4(int id, int type, int code, int rest, byte[] quoted) {
    return ipv4()
        .ethernet(MAC_B, MAC_A)
        .between(OWN4, A4)
        .ipv4(ip -> ip.identification(id).dscp(CONTROL))
        .icmp(icmp -> icmp.type(type).code(code).restOfHeader(rest))
        .payload(quoted);
  }

  private static FrameBuilder message6(int type, int code, int rest, byte[] quoted) {
    return ipv6()
        .ethernet(MAC_B, MAC_A)
        .between(OWN6, A6)
        .icmp(icmp -> icmp.type(type).code(code).restOfHeader(rest))
        .payload(quoted);
  }

  /** The IP packet, or the first bytes of it. */
  private static byte[] ip(FrameBuilder frame, int atMost) {
    byte[] bytes = frame.toBytes();
    return Arrays.copyOfRange(bytes, 14, Math.min(bytes.length, 14 + atMost));
  }

  private static byte[] ip(FrameBuilder frame) {
    return ip(frame, Integer.MAX_VALUE - 14);
  }

  private static List<byte[]> messages(IcmpError element, FrameBuilder... frames) {
    try (var harness = new ElementHarness(element)) {
      harness.push(frames);
      assertThat(harness.drops()).containsExactly(entry("reported", (long) frames.length));
      return harness.out("out");
    }
  }

  @Test
  void shouldQuoteAsMuchAsThereIsRoomFor() {
    for (int bytes : new int[] {0, 1, 500, 519, 520, 521, 1_203, 1_204, 1_400}) {
      FrameBuilder four = udp4().payload(bytes);
      FrameBuilder six = udp6().payload(bytes);
      assertThat(messages(IcmpError.timeExceeded(OWN4, OWN6), four.padding(3), four, six))
          .containsExactly(
              FrameBuilder.bytesOf(
                  message4(0, 11, 0, 0, ip(four, 548)),
                  message4(1, 11, 0, 0, ip(four, 548)),
                  message6(3, 0, 0, ip(six, 1_232))));
    }
  }

  @Test
  void shouldSayWhatIsWrong() {
    FrameBuilder four = tcp4().payload(9);
    FrameBuilder six = tcp6().payload(9);
    assertThat(messages(IcmpError.tooBig(1_400, OWN4, OWN6), four, six))
        .containsExactly(
            FrameBuilder.bytesOf(
                message4(0, 3, 4, 1_400, ip(four)), message6(2, 0, 1_400, ip(six))));
    assertThat(messages(IcmpError.unreachable(OWN4, OWN6), four, six))
        .containsExactly(
            FrameBuilder.bytesOf(message4(0, 3, 1, 0, ip(four)), message6(1, 3, 0, ip(six))));
    assertThat(messages(IcmpError.prohibited(OWN4, OWN6), four, six))
        .containsExactly(
            FrameBuilder.bytesOf(message4(0, 3, 13, 0, ip(four)), message6(1, 1, 0, ip(six))));
    assertThat(messages(IcmpError.portUnreachable(OWN4, OWN6), four, six))
        .containsExactly(
            FrameBuilder.bytesOf(message4(0, 3, 3, 0, ip(four)), message6(1, 4, 0, ip(six))));
  }

  @Test
  void shouldAnswerInTheNameOfTheDestination() {
    FrameBuilder four = udp4().payload(9);
    FrameBuilder six = udp6().payload(9);
    IcmpError.Kind kind = IcmpError.Kind.PORT_UNREACHABLE;
    String own = IcmpError.DESTINATION;
    assertThat(messages(new IcmpError(kind, own, own, 65_535, 100), four, six))
        .containsExactly(
            FrameBuilder.bytesOf(
                message4(0, 3, 3, 0, ip(four)).between(B4, A4),
                message6(1, 4, 0, ip(six)).between(B6, A6)));
  }

  @Test
  void shouldAnswerOnTheVlanThatThePacketCameBy() {
    FrameBuilder frame = icmp4().payload(9);
    assertThat(messages(IcmpError.timeExceeded(OWN4, ""), frame.vlan(5)))
        .containsExactly(message4(0, 11, 0, 0, ip(frame)).vlan(5).toBytes());
  }

  @Test
  void shouldTellNobodyAboutWhatRfc1812And4443Exempt() {
    byte[][] exempt =
        FrameBuilder.bytesOf(
            udp4().bytes(0, 1),
            udp6().bytes(0, 0x33),
            udp4().between("224.0.0.1", B4),
            udp4().between("127.0.0.1", B4),
            udp4().between("0.0.0.0", B4),
            udp4().between(A4, "239.1.1.1"),
            udp4().between(A4, "255.255.255.255"),
            icmp4().icmp(icmp -> icmp.type(Icmp.DESTINATION_UNREACHABLE)),
            ipv4().protocol(IpProtocol.ICMP).payload(3),
            ipv4().protocol(IpProtocol.UDP).fragment(1, 16, false).payload(16),
            udp6().between("ff02::1", B6),
            udp6().between("::", B6),
            udp6().between(A6, "ff02::1"),
            icmp6().icmp(icmp -> icmp.type(Icmpv6.REDIRECT)),
            icmp6().icmp(icmp -> icmp.type(Icmpv6.PACKET_TOO_BIG)),
            ipv6().protocol(IpProtocol.UDP).fragment(1, 8, false).payload(16),
            FrameBuilder.arp(Arp.REQUEST, MAC_A, A4, MAC_B, B4));
    try (var harness = new ElementHarness(IcmpError.timeExceeded(OWN4, OWN6))) {
      harness.push(exempt);
      harness.push(Arrays.copyOf(udp4().toBytes(), 33));
      harness.expectNothing("out");
      assertThat(harness.drops()).containsExactly(entry("not_reportable", exempt.length + 1L));
    }
    try (var harness = new ElementHarness(IcmpError.timeExceeded(OWN4, ""))) {
      harness.push(udp6().payload(1));
      assertThat(harness.drops()).containsExactly(entry("not_reportable", 1L));
    }
  }

  @Test
  void shouldReportTheLengthToSendersOfMulticastOverIpv6() {
    FrameBuilder frame = udp6().between(A6, "ff0e::1").payload(3);
    assertThat(messages(IcmpError.tooBig(1_280, "", OWN6), frame))
        .containsExactly(message6(2, 0, 1_280, ip(frame)).toBytes());
  }

  @Test
  void shouldKeepToItsRate() {
    FrameBuilder frame = udp4();
    IcmpError slow = new IcmpError(IcmpError.Kind.TIME_EXCEEDED, OWN4, "", 1_500, 20);
    try (var harness = new ElementHarness(slow)) {
      harness.push(frame, frame, frame, frame);
      harness.advance(50_000_000);
      harness.push(frame, frame);
      assertThat(harness.out("out")).hasSize(3);
      assertThat(harness.drops()).containsOnly(entry("reported", 3L), entry("report_limit", 3L));
    }
  }

  @Test
  void shouldCountMessagesWithoutBuffer() {
    try (var harness = new ElementHarness(IcmpError.timeExceeded(OWN4, ""), 1)) {
      harness.push(udp4().payload(1), udp4().payload(1));
      assertThat(harness.drops()).containsOnly(entry("reported", 1L), entry("no_buffer", 1L));
    }
  }

  @Test
  void shouldRefuseParametersThatCannotBe() {
    assertThat(IcmpError.tooBig(67, "192.0.2", "x").problems()).hasSize(3);
    assertThat(IcmpError.timeExceeded("", "").problems())
        .containsExactly("no address: ipv4=, ipv6=; write the address that the messages come from");
  }
}
