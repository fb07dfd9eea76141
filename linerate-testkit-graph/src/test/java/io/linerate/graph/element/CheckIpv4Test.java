package io.linerate.graph.element;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.linerate.testkit.graph.ElementHarness;
import io.linerate.wire.EtherType;
import io.linerate.wire.IpProtocol;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CheckIpv4Test {
  private static Map<String, Long> drops(byte[]... frames) {
    try (var harness = new ElementHarness(new CheckIpv4()).disconnect("bad")) {
      harness.push(frames);
      return harness.drops();
    }
  }

  private static byte[] from(String source) {
    return SampleFrames.udp4(source, SampleFrames.B4, 1, 2, 10);
  }

  @Test
  void shouldPassSoundPacketsOn() {
    byte[] options = new byte[] {1, 7, 7, 4, 0, 0, 0, 0};
    byte[][] sound = {
      SampleFrames.udp4(0),
      SampleFrames.udp4(1_400),
      SampleFrames.padded(SampleFrames.udp4(0), 18),
      SampleFrames.tagged(SampleFrames.tcp4(5), EtherType.VLAN, 9),
      SampleFrames.ipv4(SampleFrames.A4, SampleFrames.B4, 17, 1, 0, 64, options, new byte[8]),
      SampleFrames.ipv4(SampleFrames.A4, SampleFrames.B4, 17, 1, 5, new byte[3]),
      SampleFrames.ipv4(IpProtocol.UDP, new byte[3]), // Too short for UDP: that is not its matter.
      from("0.0.0.0"),
      from("240.0.0.1")
    };
    try (var harness = new ElementHarness(new CheckIpv4())) {
      harness.push(sound);
      assertThat(harness.out("out")).containsExactly(sound);
      assertThat(harness.drops()).isEmpty();
    }
  }

  @Test
  void shouldDropByWhatIsWrong() {
    byte[] right = SampleFrames.udp4(20);
    int ip = SampleFrames.ETHERNET_BYTES;
    assertThat(
            drops(
                SampleFrames.udp6(20),
                SampleFrames.with(right, ip, 0x65),
                SampleFrames.with(right, ip, 0x44),
                SampleFrames.with(right, ip + 2, 0, 19),
                SampleFrames.with(right, ip + 2, 0, right.length - ip + 1),
                SampleFrames.with(right, ip + 8, 63),
                from("127.0.0.1"),
                from("224.0.0.1"),
                from("255.255.255.255"),
                from("0.0.0.1")))
        .containsOnly(
            entry("not_ipv4", 1L),
            entry("bad_ip_version", 1L),
            entry("bad_header_length", 1L),
            entry("bad_total_length", 1L),
            entry("truncated_payload", 1L),
            entry("bad_ip_checksum", 1L),
            entry("bad_source", 4L));
  }

  @Test
  void shouldDropEveryPacketThatEndsEarly() {
    byte[] right = SampleFrames.udp4(20);
    for (int length = 0; length < right.length; length++) {
      String reason = length < 14 ? "not_ipv4" : length < 34 ? "truncated_ip" : "truncated_payload";
      assertThat(drops(Arrays.copyOf(right, length)))
          .as("length %d", length)
          .containsExactly(entry(reason, 1L));
    }
  }
}
