package io.linerate.graph.element;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.linerate.testkit.graph.ElementHarness;
import io.linerate.wire.EtherType;
import io.linerate.wire.IpProtocol;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CheckIpv6Test {
  private static Map<String, Long> drops(byte[]... frames) {
    try (var harness = new ElementHarness(new CheckIpv6()).disconnect("bad")) {
      harness.push(frames);
      return harness.drops();
    }
  }

  private static byte[] between(String source, String destination) {
    return SampleFrames.udp6(source, destination, 1, 2, 10);
  }

  /** Destination options of 8 bytes, again and again. */
  private static byte[] extended(int headers) {
    byte[] chain = new byte[8 * headers];
    for (int i = 0; i < headers; i++) {
      chain[8 * i] = (byte) (i + 1 < headers ? IpProtocol.IPV6_OPTS : IpProtocol.IPV6_NO_NEXT);
      chain[8 * i + 2] = 1; // PadN of 4 bytes.
      chain[8 * i + 3] = 4;
    }
    return SampleFrames.ipv6(IpProtocol.IPV6_OPTS, chain);
  }

  @Test
  void shouldPassSoundPacketsOn() {
    byte[][] sound = {
      SampleFrames.udp6(0),
      SampleFrames.padded(SampleFrames.udp6(1), 5),
      SampleFrames.tagged(SampleFrames.tcp6(5), EtherType.VLAN, 9),
      SampleFrames.fragment6(IpProtocol.UDP, 1, 8, false, new byte[3]),
      SampleFrames.solicitation(),
      extended(8),
      between("::", "ff02::1")
    };
    try (var harness = new ElementHarness(new CheckIpv6())) {
      harness.push(sound);
      assertThat(harness.out("out")).containsExactly(sound);
      assertThat(harness.drops()).isEmpty();
    }
  }

  @Test
  void shouldDropByWhatIsWrong() {
    byte[] right = SampleFrames.udp6(20);
    int ip = SampleFrames.ETHERNET_BYTES;
    byte[] longExtension = SampleFrames.with(extended(1), ip + SampleFrames.IPV6_BYTES + 1, 1);
    assertThat(
            drops(
                SampleFrames.udp4(20),
                SampleFrames.with(right, ip, 0x45),
                SampleFrames.with(right, ip + 5, 29),
                longExtension,
                extended(9),
                SampleFrames.fragment6(
                    IpProtocol.IPV6_FRAG, 1, 0, true, new byte[] {17, 0, 0, 0, 0, 0, 0, 9}),
                between("ff02::1", SampleFrames.B6),
                between("::1", SampleFrames.B6),
                between(SampleFrames.A6, "::1"),
                between(SampleFrames.A6, "::")))
        .containsOnly(
            entry("not_ipv6", 1L),
            entry("bad_ip_version", 1L),
            entry("truncated_payload", 1L),
            entry("truncated_extension_header", 1L),
            entry("too_many_extension_headers", 1L),
            entry("nested_fragment", 1L),
            entry("bad_source", 2L),
            entry("bad_destination", 2L));
  }

  @Test
  void shouldDropEveryPacketThatEndsEarly() {
    byte[] right = SampleFrames.udp6(20);
    for (int length = 0; length < right.length; length++) {
      String reason = length < 14 ? "not_ipv6" : length < 54 ? "truncated_ip" : "truncated_payload";
      assertThat(drops(Arrays.copyOf(right, length)))
          .as("length %d", length)
          .containsExactly(entry(reason, 1L));
    }
  }
}
