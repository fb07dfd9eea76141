package io.linerate.graph.element;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.testkit.graph.ElementHarness;
import io.linerate.wire.EtherType;
import io.linerate.wire.IpProtocol;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
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
  private static void shouldRepair(IntFunction<byte[]> frames, int checksumAt) {
    for (int payload = 0; payload < 70; payload++) {
      byte[] right = frames.apply(payload);
      byte[] wrong = SampleFrames.with(right, checksumAt, right[checksumAt] + 1, 0x5A);
      byte[] tagged = SampleFrames.tagged(wrong, EtherType.VLAN, 3);
      assertThat(fixed(wrong, SampleFrames.padded(wrong, 9), tagged))
          .containsExactly(
              right, SampleFrames.padded(right, 9), SampleFrames.tagged(right, EtherType.VLAN, 3));
    }
  }

  @Test
  void shouldWriteEachChecksum() {
    shouldRepair(SampleFrames::udp4, 24);
    shouldRepair(SampleFrames::udp4, L4_OF_IPV4 + 6);
    shouldRepair(SampleFrames::udp6, L4_OF_IPV6 + 6);
    shouldRepair(SampleFrames::tcp4, L4_OF_IPV4 + 16);
    shouldRepair(SampleFrames::tcp6, L4_OF_IPV6 + 16);
    shouldRepair(SampleFrames::echo4, L4_OF_IPV4 + 2);
    shouldRepair(SampleFrames::echo6, L4_OF_IPV6 + 2);
  }

  @Test
  void shouldLeaveAUdpChecksumOfZeroOverIpv4Only() {
    byte[] none4 = SampleFrames.with(SampleFrames.udp4(9), L4_OF_IPV4 + 6, 0, 0);
    byte[] none6 = SampleFrames.with(SampleFrames.udp6(9), L4_OF_IPV6 + 6, 0, 0);
    assertThat(fixed(none4, none6)).containsExactly(none4, SampleFrames.udp6(9));
  }

  /** Payloads of all values of a word, one of which sums up to 0. */
  @Test
  void shouldWriteFfffForAUdpSumOfZero() {
    byte[] udp = SampleFrames.udp("10.0.0.1", "10.0.0.2", 1, 2, new byte[2]);
    int rest = SampleFrames.get16(udp, 6);
    byte[] zero = SampleFrames.udp("10.0.0.1", "10.0.0.2", 1, 2, SampleFrames.u16(rest));
    assertThat(SampleFrames.get16(zero, 6)).isEqualTo(0xFFFF);
    byte[] right = SampleFrames.ipv4("10.0.0.1", "10.0.0.2", IpProtocol.UDP, 1, 0, zero);
    assertThat(fixed(SampleFrames.with(right, L4_OF_IPV4 + 6, 1, 1))).containsExactly(right);
  }

  @Test
  void shouldFixOnlyTheHeaderOfWhatItCannotSum() {
    byte[] fragment =
        SampleFrames.ipv4(
            SampleFrames.A4, SampleFrames.B4, IpProtocol.UDP, 9, 0x2000, SampleFrames.numbers(64));
    byte[] cut = Arrays.copyOf(SampleFrames.udp4(40), 60);
    byte[] badLength = SampleFrames.with(SampleFrames.udp4(40), L4_OF_IPV4 + 4, 0, 7);
    byte[][] right = {fragment, cut, badLength};
    byte[][] wrong = new byte[right.length][];
    for (int i = 0; i < right.length; i++) {
      wrong[i] = SampleFrames.with(right[i], 24, 1, 2);
    }
    assertThat(fixed(wrong)).containsExactly(right);
    assertThat(unsummed(wrong)).isEqualTo("3");
  }

  @Test
  void shouldLeaveRoutingHeadersThatAreNotUsedUp() {
    byte[] udp = SampleFrames.udp(SampleFrames.A6, SampleFrames.B6, 1, 2, new byte[4]);
    List<byte[]> frames = new ArrayList<>();
    for (int segmentsLeft = 0; segmentsLeft < 2; segmentsLeft++) {
      byte[] routing = {17, 2, 0, (byte) segmentsLeft, 0, 0, 0, 0};
      byte[] payload =
          SampleFrames.join(
              routing, SampleFrames.ip("2001:db8::9"), SampleFrames.with(udp, 6, 1, 2));
      frames.add(SampleFrames.ipv6(IpProtocol.IPV6_ROUTE, payload));
    }
    byte[] right = SampleFrames.join(Arrays.copyOf(frames.getFirst(), 78), udp);
    assertThat(fixed(frames.toArray(byte[][]::new))).containsExactly(right, frames.getLast());
    assertThat(unsummed(frames.toArray(byte[][]::new))).isEqualTo("1");
  }

  @Test
  void shouldPassEverythingElseOnAsItCame() {
    byte[] arp =
        SampleFrames.arp(1, SampleFrames.MAC_A, "10.0.0.1", SampleFrames.MAC_B, "10.0.0.2");
    byte[] right = SampleFrames.tcp6(20);
    assertThat(fixed(arp, new byte[0], Arrays.copyOf(right, 53)))
        .containsExactly(arp, new byte[0], Arrays.copyOf(right, 53));
    assertThat(unsummed(arp, Arrays.copyOf(right, 53))).isEqualTo("0");
  }
}
