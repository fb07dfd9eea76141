package io.linerate.graph.element;

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

import io.linerate.testkit.graph.ElementHarness;
import io.linerate.testkit.graph.FrameBuilder;
import io.linerate.wire.IpProtocol;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class FixChecksumsTest {
  private static final int L4_OF_IPV4 = 34;
  private static final int L4_OF_IPV6 = 54;

  private static List<byte[]> fixed(byte[]... frames) {
    try (var harness = new ElementHarness(new FixChecksums())) {
      for (byte[] frame : frames) {
        harness.push(frame);
      }
      return harness.out("out");
    }
  }

  private static String unsummed(byte[]... frames) {
    try (var harness = new ElementHarness(new FixChecksums())) {
      harness.push(frames);
      return harness.read("unsummed");
    }
  }

  /** Breaks the checksum at an offset in every frame, of every length. */
  private static void shouldRepair(FrameBuilder kind, int checksumAt) {
    for (int payload = 0; payload < 70; payload++) {
      FrameBuilder right = kind.payload(payload);
      int other = right.toBytes()[checksumAt] + 1;
      FrameBuilder wrong = right.bytes(checksumAt, other, 0x5A);
      FrameBuilder tagged = right.vlan(3).bytes(checksumAt + 4, other, 0x5A);
      assertThat(fixed(FrameBuilder.bytesOf(wrong, wrong.padding(9), tagged)))
          .containsExactly(FrameBuilder.bytesOf(right, right.padding(9), right.vlan(3)));
    }
  }

  @Test
  void shouldWriteEachChecksum() {
    shouldRepair(udp4(), 24);
    shouldRepair(udp4(), L4_OF_IPV4 + 6);
    shouldRepair(udp6(), L4_OF_IPV6 + 6);
    shouldRepair(tcp4(), L4_OF_IPV4 + 16);
    shouldRepair(tcp6(), L4_OF_IPV6 + 16);
    shouldRepair(icmp4(), L4_OF_IPV4 + 2);
    shouldRepair(icmp6(), L4_OF_IPV6 + 2);
  }

  @Test
  void shouldLeaveAUdpChecksumOfZeroOverIpv4Only() {
    byte[] none4 = udp4().payload(9).bytes(L4_OF_IPV4 + 6, 0, 0).toBytes();
    byte[] none6 = udp6().payload(9).bytes(L4_OF_IPV6 + 6, 0, 0).toBytes();
    assertThat(fixed(none4, none6)).containsExactly(none4, udp6().payload(9).toBytes());
  }

  /** Payloads of all values of a word, one of which sums up to 0. */
  @Test
  void shouldWriteFfffForAUdpSumOfZero() {
    int at = L4_OF_IPV4 + 6;
    byte[] checksum = Arrays.copyOfRange(udp4().payload(new byte[2]).toBytes(), at, at + 2);
    FrameBuilder zero = udp4().payload(checksum);
    byte[] right = zero.toBytes();
    assertThat(Arrays.copyOfRange(right, at, at + 2)).containsExactly(0xFF, 0xFF);
    assertThat(fixed(zero.bytes(at, 1, 1).toBytes())).containsExactly(right);
  }

  @Test
  void shouldFixOnlyTheHeaderOfWhatItCannotSum() {
    FrameBuilder fragment = ipv4().protocol(IpProtocol.UDP).fragment(9, 0, true).payload(64);
    FrameBuilder badLength = udp4().payload(40).udp(udp -> udp.length(7));
    FrameBuilder whole = udp4().payload(40);
    byte[][] wrong =
        FrameBuilder.bytesOf(
            fragment.bytes(24, 1, 2), badLength.bytes(24, 1, 2), whole.bytes(24, 1, 2));
    byte[][] right = FrameBuilder.bytesOf(fragment, badLength, whole);
    wrong[2] = Arrays.copyOf(wrong[2], 60);
    right[2] = Arrays.copyOf(right[2], 60);
    assertThat(fixed(wrong)).containsExactly(right);
    assertThat(unsummed(wrong)).isEqualTo("3");
  }

  /** UDP behind a routing header with the address 2001:db8::9. */
  private static FrameBuilder routed(int segmentsLeft) {
    int[] header = {
      0, segmentsLeft, 0, 0, 0, 0, 0x20, 1, 0xD, 0xB8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9
    };
    return ipv6().extension(IpProtocol.IPV6_ROUTE, header).udp(_ -> {}).payload(4);
  }

  @Test
  void shouldLeaveRoutingHeadersThatAreNotUsedUp() {
    FrameBuilder right = routed(0);
    byte[][] wrong = FrameBuilder.bytesOf(right.bytes(84, 1, 2), routed(1).bytes(84, 1, 2));
    assertThat(fixed(wrong)).containsExactly(right.toBytes(), wrong[1]);
    assertThat(unsummed(wrong)).isEqualTo("1");
  }

  /** With a loose source route of one stop, which the packet has passed or not. */
  @Test
  void shouldLeaveSourceRoutesThatAreNotUsedUp() {
    FrameBuilder passed = udp4().options(131, 7, 8, 192, 0, 2, 9).payload(4);
    FrameBuilder ahead = udp4().options(131, 7, 4, 192, 0, 2, 9).payload(4);
    FrameBuilder echo = icmp4().options(131, 7, 4, 192, 0, 2, 9);
    byte[][] wrong =
        FrameBuilder.bytesOf(passed.bytes(48, 1, 2), ahead.bytes(48, 1, 2), echo.bytes(44, 1, 2));
    assertThat(fixed(wrong)).containsExactly(passed.toBytes(), wrong[1], echo.toBytes());
    assertThat(unsummed(wrong)).isEqualTo("1");
  }

  @Test
  void shouldPassEverythingElseOnAsItCame() {
    byte[] arp = FrameBuilder.arp(1, MAC_A, "10.0.0.1", MAC_B, "10.0.0.2").toBytes();
    byte[] right = tcp6().payload(20).toBytes();
    assertThat(fixed(arp, new byte[0], Arrays.copyOf(right, 53)))
        .containsExactly(arp, new byte[0], Arrays.copyOf(right, 53));
    assertThat(unsummed(arp, Arrays.copyOf(right, 53))).isEqualTo("0");
  }
}
