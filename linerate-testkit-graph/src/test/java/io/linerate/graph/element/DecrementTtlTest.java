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

class DecrementTtlTest {
  private static byte[] ipv4(int ttl, int id) {
    return SampleFrames.ipv4(
        SampleFrames.A4, SampleFrames.B4, IpProtocol.UDP, id, 0, ttl, new byte[0], new byte[4]);
  }

  private static byte[] ipv6(int hops) {
    return SampleFrames.ipv6(
        SampleFrames.A6, SampleFrames.B6, IpProtocol.IPV6_NO_NEXT, hops, new byte[0]);
  }

  /** Identifications of all values make checksums of all values. */
  @Test
  void shouldUpdateTheChecksumToWhatItIsWhenMadeAnew() {
    try (var harness = new ElementHarness(new DecrementTtl())) {
      for (int id = 0; id <= 0xFFFF; id += 7) {
        int ttl = 2 + id % 254;
        harness.push(ipv4(ttl, id));
        assertThat(harness.out("out")).containsExactly(ipv4(ttl - 1, id));
      }
    }
  }

  @Test
  void shouldLeaveAWrongChecksumWrong() {
    byte[] wrong = SampleFrames.with(ipv4(9, 1), 25, 0x33);
    try (var harness = new ElementHarness(new DecrementTtl())) {
      harness.push(wrong);
      assertThat(SampleFrames.hasRightHeaderChecksum(harness.out("out").getFirst())).isFalse();
    }
  }

  @Test
  void shouldDecrementBehindTags() {
    try (var harness = new ElementHarness(new DecrementTtl())) {
      harness.push(
          SampleFrames.tagged(ipv4(255, 1), EtherType.VLAN, 1),
          ipv6(255),
          SampleFrames.tagged(ipv6(2), EtherType.VLAN, 1));
      assertThat(harness.out("out"))
          .containsExactly(
              SampleFrames.tagged(ipv4(254, 1), EtherType.VLAN, 1),
              ipv6(254),
              SampleFrames.tagged(ipv6(1), EtherType.VLAN, 1));
    }
  }

  @Test
  void shouldSendExpiredPacketsAsTheyCame() {
    try (var harness = new ElementHarness(new DecrementTtl())) {
      harness.push(ipv4(1, 1), ipv6(1), ipv4(2, 1), ipv4(0, 1), ipv6(0));
      assertThat(harness.out("out")).containsExactly(ipv4(1, 1));
      assertThat(harness.out("expired")).containsExactly(ipv4(1, 1), ipv6(1), ipv4(0, 1), ipv6(0));
    }
  }

  @Test
  void shouldDropWhatHasNoSoundHeader() {
    byte[] right = ipv4(9, 1);
    List<byte[]> cut = new ArrayList<>();
    for (int length = 12; length < 34; length++) {
      cut.add(Arrays.copyOf(right, length));
    }
    try (var harness = new ElementHarness(new DecrementTtl()).disconnect("expired")) {
      harness.push(cut.toArray(byte[][]::new));
      harness.push(SampleFrames.frame(EtherType.ARP, new byte[28]), ipv4(1, 1));
      assertThat(harness.out("out")).isEmpty();
      assertThat(harness.drops())
          .containsOnly(
              entry("truncated_ethernet", 2L),
              entry("truncated_ip", 20L),
              entry("non_ip", 1L),
              entry("ttl_expired", 1L));
    }
  }
}
