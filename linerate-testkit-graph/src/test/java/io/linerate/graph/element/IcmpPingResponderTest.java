package io.linerate.graph.element;

import static io.linerate.testkit.graph.FrameBuilder.A4;
import static io.linerate.testkit.graph.FrameBuilder.A6;
import static io.linerate.testkit.graph.FrameBuilder.B4;
import static io.linerate.testkit.graph.FrameBuilder.B6;
import static io.linerate.testkit.graph.FrameBuilder.MAC_A;
import static io.linerate.testkit.graph.FrameBuilder.MAC_B;
import static io.linerate.testkit.graph.FrameBuilder.icmp4;
import static io.linerate.testkit.graph.FrameBuilder.icmp6;
import static io.linerate.testkit.graph.FrameBuilder.udp4;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.linerate.testkit.graph.ElementHarness;
import io.linerate.testkit.graph.FrameBuilder;
import io.linerate.testkit.graph.FrameKinds;
import io.linerate.wire.Icmp;
import io.linerate.wire.Icmpv6;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class IcmpPingResponderTest {
  private static final IcmpPingResponder RESPONDER = IcmpPingResponder.of(B4, B6);

  private static FrameBuilder ping4(String source, String destination, int payloadBytes) {
    return icmp4().between(source, destination).payload(payloadBytes);
  }

  private static FrameBuilder reply4(String source, String destination, int payloadBytes) {
    return ping4(source, destination, payloadBytes)
        .ethernet(MAC_B, MAC_A)
        .icmp(icmp -> icmp.type(Icmp.ECHO_REPLY));
  }

  private static FrameBuilder ping6(String source, String destination, int payloadBytes) {
    return icmp6().between(source, destination).payload(payloadBytes);
  }

  @Test
  void shouldAnswerRequestsOfEveryLength() {
    try (var harness = new ElementHarness(RESPONDER)) {
      for (int bytes = 0; bytes < 1_400; bytes += 61) {
        harness.push(
            ping4(A4, B4, bytes).padding(4),
            ping4("10.0.0.9", B4, bytes).vlan(1),
            ping6(A6, B6, bytes));
        harness.expect(
            "out",
            reply4(B4, A4, bytes).padding(4),
            reply4(B4, "10.0.0.9", bytes).vlan(1),
            ping6(B6, A6, bytes).ethernet(MAC_B, MAC_A).icmp(icmp -> icmp.type(Icmpv6.ECHO_REPLY)));
      }
      assertThat(harness.read("replies")).isEqualTo("69");
    }
  }

  @Test
  void shouldAnswerWithATimeToLiveOfItsOwn() {
    try (var harness = new ElementHarness(RESPONDER)) {
      harness.push(ping4(A4, B4, 3).ipv4(ip -> ip.ttl(1)));
      harness.expect("out", reply4(B4, A4, 3));
    }
  }

  @Test
  void shouldNotAnswerWhatRfc1122And4443Forbid() {
    byte[][] others =
        FrameBuilder.bytesOf(
            ping4(A4, B4, 1).bytes(0, 0xFF),
            ping4("224.0.0.1", B4, 1),
            ping4("0.0.0.0", B4, 1),
            ping4("255.255.255.255", B4, 1),
            ping4(A4, "198.51.100.3", 1),
            ping4(A4, B4, 8).fragment(9, 0, true),
            ping4(A4, B4, 1).options(7, 7, 4, 0),
            ping4(A4, B4, 8).icmp(icmp -> icmp.type(Icmp.ECHO_REPLY)),
            ping4(A4, B4, 28).icmp(icmp -> icmp.type(Icmp.DESTINATION_UNREACHABLE)),
            ping6("ff02::1", B6, 1),
            ping6("::", B6, 1),
            ping6(A6, "ff02::1", 1),
            udp4(),
            FrameKinds.byName().get("neighbor solicitation"));
    try (var harness = new ElementHarness(RESPONDER)) {
      harness.push(others);
      assertThat(harness.out("rest")).containsExactly(others);
      harness.expectNothing("out");
    }
  }

  @Test
  void shouldNotAnswerWhatIsCutOffOrChanged() {
    FrameBuilder right4 = ping4(A4, B4, 20);
    FrameBuilder right6 = ping6(A6, B6, 20);
    List<byte[]> cut = new ArrayList<>();
    for (byte[] right : FrameBuilder.bytesOf(right4, right6)) {
      for (int length = 0; length < right.length; length++) {
        cut.add(Arrays.copyOf(right, length));
      }
    }
    try (var harness = new ElementHarness(RESPONDER).disconnect("rest")) {
      cut.forEach(harness::push);
      harness.push(right4.bytes(61, 0x99), right6.bytes(81, 0x99));
      harness.expectNothing("out");
      assertThat(harness.drops())
          .containsOnly(entry("not_answered", (long) cut.size()), entry("bad_checksum", 2L));
    }
  }

  @Test
  void shouldRefuseWhatIsNoAddress() {
    assertThat(IcmpPingResponder.of("192.0.2", "2001::g").problems()).hasSize(2);
    assertThat(IcmpPingResponder.of().problems()).hasSize(1);
  }
}
