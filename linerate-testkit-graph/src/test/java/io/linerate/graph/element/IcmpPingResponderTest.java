package io.linerate.graph.element;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.linerate.testkit.graph.ElementHarness;
import io.linerate.wire.EtherType;
import io.linerate.wire.IpProtocol;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class IcmpPingResponderTest {
  private static final IcmpPingResponder RESPONDER =
      IcmpPingResponder.of(SampleFrames.B4, SampleFrames.B6);

  private static byte[] icmp4(int type, int payloadBytes) {
    byte[] numbers = SampleFrames.numbers(payloadBytes);
    byte[] icmp =
        SampleFrames.join(SampleFrames.u16(type << 8), new byte[] {0, 0, 0, 7, 0, 1}, numbers);
    SampleFrames.put16(icmp, 2, SampleFrames.checksum(icmp));
    return icmp;
  }

  private static byte[] ping4(String source, String destination, int payloadBytes) {
    return SampleFrames.ipv4(source, destination, IpProtocol.ICMP, 9, 0, icmp4(8, payloadBytes));
  }

  /** With addresses turned round, as the way back. */
  private static byte[] back(byte[] frame) {
    byte[] swapped = frame.clone();
    System.arraycopy(frame, 0, swapped, 6, 6);
    System.arraycopy(frame, 6, swapped, 0, 6);
    return swapped;
  }

  private static byte[] reply4(String source, String destination, int payloadBytes) {
    return back(
        SampleFrames.ipv4(source, destination, IpProtocol.ICMP, 9, 0, icmp4(0, payloadBytes)));
  }

  private static byte[] icmp6(int type, String source, String destination, int payloadBytes) {
    byte[] numbers = SampleFrames.numbers(payloadBytes);
    byte[] icmp =
        SampleFrames.join(SampleFrames.u16(type << 8), new byte[] {0, 0, 0, 7, 0, 1}, numbers);
    SampleFrames.summed(icmp, 2, source, destination, IpProtocol.ICMPV6);
    return SampleFrames.ipv6(source, destination, IpProtocol.ICMPV6, 64, icmp);
  }

  @Test
  void shouldAnswerRequestsOfEveryLength() {
    try (var harness = new ElementHarness(RESPONDER)) {
      for (int bytes = 0; bytes < 1_400; bytes += 61) {
        byte[] tagged = SampleFrames.tagged(ping4("10.0.0.9", SampleFrames.B4, bytes), 0x8100, 1);
        harness.push(
            SampleFrames.padded(ping4(SampleFrames.A4, SampleFrames.B4, bytes), 4),
            tagged,
            icmp6(128, SampleFrames.A6, SampleFrames.B6, bytes));
        assertThat(harness.out("out"))
            .containsExactly(
                SampleFrames.padded(reply4(SampleFrames.B4, SampleFrames.A4, bytes), 4),
                SampleFrames.tagged(reply4(SampleFrames.B4, "10.0.0.9", bytes), EtherType.VLAN, 1),
                back(icmp6(129, SampleFrames.B6, SampleFrames.A6, bytes)));
      }
      assertThat(harness.read("replies")).isEqualTo("69");
    }
  }

  @Test
  void shouldAnswerWithATimeToLiveOfItsOwn() {
    byte[] old =
        SampleFrames.ipv4(SampleFrames.A4, SampleFrames.B4, 1, 9, 0, 1, new byte[0], icmp4(8, 3));
    try (var harness = new ElementHarness(RESPONDER)) {
      harness.push(old);
      assertThat(harness.out("out")).containsExactly(reply4(SampleFrames.B4, SampleFrames.A4, 3));
    }
  }

  @Test
  void shouldNotAnswerWhatRfc1122And4443Forbid() {
    byte[] toSeveral = ping4(SampleFrames.A4, SampleFrames.B4, 1);
    toSeveral[0] = (byte) 0xFF;
    byte[] options = {7, 7, 4, 0, 0, 0, 0, 0};
    byte[][] others = {
      toSeveral,
      ping4("224.0.0.1", SampleFrames.B4, 1),
      ping4("0.0.0.0", SampleFrames.B4, 1),
      ping4("255.255.255.255", SampleFrames.B4, 1),
      ping4(SampleFrames.A4, "198.51.100.3", 1),
      SampleFrames.ipv4(SampleFrames.A4, SampleFrames.B4, 1, 9, 0x2000, icmp4(8, 8)),
      SampleFrames.ipv4(SampleFrames.A4, SampleFrames.B4, 1, 9, 0, 64, options, icmp4(8, 1)),
      SampleFrames.ipv4(SampleFrames.A4, SampleFrames.B4, 1, 9, 0, icmp4(0, 8)),
      SampleFrames.ipv4(SampleFrames.A4, SampleFrames.B4, 1, 9, 0, icmp4(3, 28)),
      icmp6(128, "ff02::1", SampleFrames.B6, 1),
      icmp6(128, "::", SampleFrames.B6, 1),
      icmp6(128, SampleFrames.A6, "ff02::1", 1),
      SampleFrames.udp4(1),
      SampleFrames.solicitation()
    };
    try (var harness = new ElementHarness(RESPONDER)) {
      harness.push(others);
      assertThat(harness.out("rest")).containsExactly(others);
      assertThat(harness.out("out")).isEmpty();
    }
  }

  @Test
  void shouldNotAnswerWhatIsCutOffOrChanged() {
    byte[] right4 = ping4(SampleFrames.A4, SampleFrames.B4, 20);
    byte[] right6 = icmp6(128, SampleFrames.A6, SampleFrames.B6, 20);
    List<byte[]> cut = new ArrayList<>();
    for (byte[] right : List.of(right4, right6)) {
      for (int length = 0; length < right.length; length++) {
        cut.add(Arrays.copyOf(right, length));
      }
    }
    try (var harness = new ElementHarness(RESPONDER).disconnect("rest")) {
      cut.forEach(harness::push);
      harness.push(
          SampleFrames.with(right4, right4.length - 1, 0x99),
          SampleFrames.with(right6, right6.length - 1, 0x99));
      assertThat(harness.out("out")).isEmpty();
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
