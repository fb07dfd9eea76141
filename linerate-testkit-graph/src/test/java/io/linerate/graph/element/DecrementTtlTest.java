package io.linerate.graph.element;

import static io.linerate.testkit.graph.FrameBuilder.ethernet;
import static io.linerate.testkit.graph.FrameBuilder.ipv4;
import static io.linerate.testkit.graph.FrameBuilder.ipv6;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.linerate.testkit.graph.ElementHarness;
import io.linerate.testkit.graph.FrameBuilder;
import io.linerate.testkit.graph.Layers;
import io.linerate.wire.EtherType;
import io.linerate.wire.InternetChecksum;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class DecrementTtlTest {
  private static FrameBuilder four(int ttl, int id) {
    return ipv4().ipv4(ip -> ip.ttl(ttl).identification(id)).payload(4);
  }

  private static FrameBuilder six(int hops) {
    return ipv6().ipv6(ip -> ip.hopLimit(hops));
  }

  /** Identifications of all values make checksums of all values. */
  @Test
  void shouldUpdateTheChecksumToWhatItIsWhenMadeAnew() {
    try (var harness = new ElementHarness(new DecrementTtl())) {
      for (int id = 0; id <= 0xFFFF; id += 7) {
        int ttl = 2 + id % 254;
        harness.push(four(ttl, id));
        harness.expect("out", four(ttl - 1, id));
      }
    }
  }

  @Test
  void shouldLeaveAWrongChecksumWrong() {
    try (var harness = new ElementHarness(new DecrementTtl())) {
      harness.push(four(9, 1).bytes(25, 0x33));
      Layers sent = harness.layers("out");
      assertThat(sent.ipv4().ttl()).isEqualTo(8);
      assertThat(InternetChecksum.verifyIpv4Header(sent.packet(), 14)).isFalse();
    }
  }

  @Test
  void shouldDecrementBehindTags() {
    try (var harness = new ElementHarness(new DecrementTtl())) {
      harness.push(four(255, 1).vlan(1), six(255), six(2).vlan(1));
      harness.expect("out", four(254, 1).vlan(1), six(254), six(1).vlan(1));
    }
  }

  @Test
  void shouldSendExpiredPacketsAsTheyCame() {
    try (var harness = new ElementHarness(new DecrementTtl())) {
      harness.push(four(1, 1), six(1), four(2, 1), four(0, 1), six(0));
      harness.expect("out", four(1, 1));
      harness.expect("expired", four(1, 1), six(1), four(0, 1), six(0));
    }
  }

  @Test
  void shouldDropWhatHasNoSoundHeader() {
    byte[] right = four(9, 1).toBytes();
    List<byte[]> cut = new ArrayList<>();
    for (int length = 12; length < 34; length++) {
      cut.add(Arrays.copyOf(right, length));
    }
    try (var harness = new ElementHarness(new DecrementTtl()).disconnect("expired")) {
      harness.push(cut.toArray(byte[][]::new));
      harness.push(ethernet(EtherType.ARP).payload(new byte[28]), four(1, 1));
      harness.expectNothing("out");
      assertThat(harness.drops())
          .containsOnly(
              entry("truncated_ethernet", 2L),
              entry("truncated_ip", 20L),
              entry("non_ip", 1L),
              entry("ttl_expired", 1L));
    }
  }
}
