package io.linerate.graph.element;

import static io.linerate.testkit.graph.FrameBuilder.B4;
import static io.linerate.testkit.graph.FrameBuilder.ipv4;
import static io.linerate.testkit.graph.FrameBuilder.tcp4;
import static io.linerate.testkit.graph.FrameBuilder.udp4;
import static io.linerate.testkit.graph.FrameBuilder.udp6;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.linerate.testkit.graph.ElementHarness;
import io.linerate.testkit.graph.FrameBuilder;
import io.linerate.wire.IpProtocol;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CheckIpv4Test {
  private static Map<String, Long> drops(FrameBuilder... frames) {
    return drops(FrameBuilder.bytesOf(frames));
  }

  private static Map<String, Long> drops(byte[]... frames) {
    try (var harness = new ElementHarness(new CheckIpv4()).disconnect("bad")) {
      harness.push(frames);
      return harness.drops();
    }
  }

  private static FrameBuilder from(String source) {
    return udp4().between(source, B4);
  }

  @Test
  void shouldPassSoundPacketsOn() {
    byte[][] sound =
        FrameBuilder.bytesOf(
            udp4(),
            udp4().payload(1_400),
            udp4().padding(18),
            tcp4().payload(5).vlan(9),
            ipv4().protocol(IpProtocol.UDP).options(1, 7, 7, 4, 0).payload(8),
            ipv4().protocol(IpProtocol.UDP).fragment(1, 40, false).payload(3),
            ipv4().protocol(IpProtocol.UDP), // Too short for UDP: that is not its matter.
            from("0.0.0.0"),
            from("240.0.0.1"));
    try (var harness = new ElementHarness(new CheckIpv4())) {
      harness.push(sound);
      assertThat(harness.out("out")).containsExactly(sound);
      assertThat(harness.drops()).isEmpty();
    }
  }

  @Test
  void shouldDropByWhatIsWrong() {
    FrameBuilder right = udp4().payload(20);
    assertThat(
            drops(
                udp6().payload(20),
                right.bytes(14, 0x65),
                right.bytes(14, 0x44),
                right.ipv4(ip -> ip.totalLength(19)),
                right.ipv4(ip -> ip.totalLength(49)),
                right.bytes(22, 63),
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
  void shouldDropWhatClaimsToBeFromTheRouterItself() {
    FrameBuilder other = from("192.0.2.3");
    CheckIpv4 check = new CheckIpv4(List.of("192.0.2.1", "192.0.2.2"));
    try (var harness = new ElementHarness(check).disconnect("bad")) {
      harness.push(from("192.0.2.1"), other, from("192.0.2.2"));
      harness.expect("out", other);
      assertThat(harness.drops()).containsOnly(entry("bad_source", 2L));
    }
    assertThat(new CheckIpv4(List.of("fd00::1")).problems()).hasSize(1);
  }

  @Test
  void shouldDropEveryPacketThatEndsEarly() {
    byte[] right = udp4().payload(20).toBytes();
    for (int length = 0; length < right.length; length++) {
      String reason = length < 14 ? "not_ipv4" : length < 34 ? "truncated_ip" : "truncated_payload";
      assertThat(drops(Arrays.copyOf(right, length)))
          .as("length %d", length)
          .containsExactly(entry(reason, 1L));
    }
  }
}
