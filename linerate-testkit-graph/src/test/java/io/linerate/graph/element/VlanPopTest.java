package io.linerate.graph.element;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.linerate.testkit.graph.ElementHarness;
import io.linerate.wire.EtherType;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class VlanPopTest {
  @Test
  void shouldTakeTheOuterTagOff() {
    byte[] plain = SampleFrames.udp6(10);
    byte[] inner = SampleFrames.tagged(plain, EtherType.VLAN, 5);
    try (var harness = new ElementHarness(new VlanPop())) {
      harness.push(
          inner,
          plain,
          SampleFrames.tagged(inner, EtherType.PROVIDER_BRIDGE, 6),
          SampleFrames.tagged(plain, EtherType.QINQ_LEGACY, 7),
          SampleFrames.frame(EtherType.VLAN, new byte[4]));
      assertThat(harness.out("out"))
          .containsExactly(plain, inner, plain, SampleFrames.frame(0, new byte[0]));
      assertThat(harness.out("untagged")).containsExactly(plain);
      assertThat(harness.drops()).isEmpty();
    }
  }

  @Test
  void shouldDropWhatHasNoWholeTag() {
    byte[] tagged = SampleFrames.tagged(SampleFrames.udp4(1), EtherType.VLAN, 5);
    try (var harness = new ElementHarness(new VlanPop()).disconnect("untagged")) {
      for (int length = 0; length < 18; length++) {
        harness.push(Arrays.copyOf(tagged, length));
      }
      harness.push(SampleFrames.udp4(1));
      assertThat(harness.out("out")).isEmpty();
      assertThat(harness.drops())
          .containsOnly(
              entry("truncated_ethernet", 14L), entry("truncated_vlan", 4L), entry("untagged", 1L));
    }
  }
}
