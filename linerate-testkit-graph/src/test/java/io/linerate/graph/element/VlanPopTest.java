package io.linerate.graph.element;

import static io.linerate.testkit.graph.FrameBuilder.ethernet;
import static io.linerate.testkit.graph.FrameBuilder.udp4;
import static io.linerate.testkit.graph.FrameBuilder.udp6;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.linerate.testkit.graph.ElementHarness;
import io.linerate.testkit.graph.FrameBuilder;
import io.linerate.wire.EtherType;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class VlanPopTest {
  @Test
  void shouldTakeTheOuterTagOff() {
    FrameBuilder frame = udp6().payload(10);
    byte[] plain = frame.toBytes();
    byte[] inner = frame.vlan(5).toBytes();
    try (var harness = new ElementHarness(new VlanPop())) {
      harness.push(
          inner,
          plain,
          frame.vlan(5).vlan(EtherType.PROVIDER_BRIDGE, tag -> tag.vid(6)).toBytes(),
          frame.vlan(EtherType.QINQ_LEGACY, tag -> tag.vid(7)).toBytes(),
          ethernet(EtherType.VLAN).payload(new byte[4]).toBytes());
      assertThat(harness.out("out")).containsExactly(plain, inner, plain, ethernet(0).toBytes());
      assertThat(harness.out("untagged")).containsExactly(plain);
      assertThat(harness.drops()).isEmpty();
    }
  }

  @Test
  void shouldDropWhatHasNoWholeTag() {
    byte[] tagged = udp4().payload(1).vlan(5).toBytes();
    try (var harness = new ElementHarness(new VlanPop()).disconnect("untagged")) {
      for (int length = 0; length < 18; length++) {
        harness.push(Arrays.copyOf(tagged, length));
      }
      harness.push(udp4().payload(1));
      harness.expectNothing("out");
      assertThat(harness.drops())
          .containsOnly(
              entry("truncated_ethernet", 14L), entry("truncated_vlan", 4L), entry("untagged", 1L));
    }
  }
}
