package io.linerate.graph.element;

import static io.linerate.testkit.graph.FrameBuilder.A6;
import static io.linerate.testkit.graph.FrameBuilder.B6;
import static io.linerate.testkit.graph.FrameBuilder.ipv6;
import static io.linerate.testkit.graph.FrameBuilder.tcp6;
import static io.linerate.testkit.graph.FrameBuilder.udp4;
import static io.linerate.testkit.graph.FrameBuilder.udp6;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.linerate.testkit.graph.ElementHarness;
import io.linerate.testkit.graph.FrameBuilder;
import io.linerate.testkit.graph.FrameKinds;
import io.linerate.wire.IpProtocol;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CheckIpv6Test {
  private static Map<String, Long> drops(FrameBuilder... frames) {
    return drops(FrameBuilder.bytesOf(frames));
  }

  private static Map<String, Long> drops(byte[]... frames) {
    try (var harness = new ElementHarness(new CheckIpv6()).disconnect("bad")) {
      harness.push(frames);
      return harness.drops();
    }
  }

  private static FrameBuilder between(String source, String destination) {
    return udp6().between(source, destination);
  }

  /** Destination options of 8 bytes, again and again. */
  private static FrameBuilder extended(int headers) {
    FrameBuilder frame = ipv6();
    for (int i = 0; i < headers; i++) {
      frame = frame.extension(IpProtocol.IPV6_OPTS, 1, 4); // PadN of 4 bytes.
    }
    return frame;
  }

  @Test
  void shouldPassSoundPacketsOn() {
    byte[][] sound =
        FrameBuilder.bytesOf(
            udp6(),
            udp6().payload(1).padding(5),
            tcp6().payload(5).vlan(9),
            ipv6().protocol(IpProtocol.UDP).fragment(1, 8, false).payload(3),
            FrameKinds.byName().get("neighbor solicitation"),
            extended(8),
            between("::", "ff02::1"));
    try (var harness = new ElementHarness(new CheckIpv6())) {
      harness.push(sound);
      assertThat(harness.out("out")).containsExactly(sound);
      assertThat(harness.drops()).isEmpty();
    }
  }

  @Test
  void shouldDropByWhatIsWrong() {
    FrameBuilder right = udp6().payload(20);
    assertThat(
            drops(
                udp4().payload(20),
                right.bytes(14, 0x45),
                right.ipv6(ip -> ip.payloadLength(29)),
                extended(1).bytes(14 + 40 + 1, 1),
                extended(9),
                ipv6().protocol(IpProtocol.UDP).fragment(1, 0, true).fragment(9, 0, false),
                between("ff02::1", B6),
                between("::1", B6),
                between(A6, "::1"),
                between(A6, "::")))
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
  void shouldDropWhatClaimsToBeFromTheRouterItself() {
    FrameBuilder other = between("2001:db8::3", B6);
    CheckIpv6 check = new CheckIpv6(List.of("fe80::1", "2001:db8::1"));
    try (var harness = new ElementHarness(check).disconnect("bad")) {
      harness.push(between("fe80::1", B6), other, between("2001:db8::1", B6));
      harness.expect("out", other);
      assertThat(harness.drops()).containsOnly(entry("bad_source", 2L));
    }
    assertThat(new CheckIpv6(List.of("192.0.2.1")).problems()).hasSize(1);
  }

  @Test
  void shouldDropEveryPacketThatEndsEarly() {
    byte[] right = udp6().payload(20).toBytes();
    for (int length = 0; length < right.length; length++) {
      String reason = length < 14 ? "not_ipv6" : length < 54 ? "truncated_ip" : "truncated_payload";
      assertThat(drops(Arrays.copyOf(right, length)))
          .as("length %d", length)
          .containsExactly(entry(reason, 1L));
    }
  }
}
