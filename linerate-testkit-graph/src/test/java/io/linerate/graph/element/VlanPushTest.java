package io.linerate.graph.element;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.linerate.testkit.graph.ElementHarness;
import io.linerate.wire.EtherType;
import org.junit.jupiter.api.Test;

class VlanPushTest {
  @Test
  void shouldPutTheTagBehindTheAddresses() {
    byte[] plain = SampleFrames.udp4(10);
    byte[] tagged = SampleFrames.tagged(plain, EtherType.VLAN, 5);
    try (var harness = new ElementHarness(new VlanPush(100, 3, EtherType.PROVIDER_BRIDGE))) {
      harness.push(plain, tagged, new byte[13], new byte[14]);
      assertThat(harness.out("out"))
          .containsExactly(
              SampleFrames.tagged(plain, 0x88A8, 0x6064),
              SampleFrames.tagged(tagged, 0x88A8, 0x6064),
              SampleFrames.tagged(new byte[14], 0x88A8, 0x6064));
      assertThat(harness.drops()).containsExactly(entry("truncated_ethernet", 1L));
    }
  }

  @Test
  void shouldCopyFramesWithoutRoomBeforeThem() {
    byte[] first = SampleFrames.udp4(10);
    byte[] second = SampleFrames.udp4(3_000);
    try (var harness = new ElementHarness(new VlanPush(1), 16, 3)) {
      harness.push(first, second);
      assertThat(harness.out("out"))
          .containsExactly(
              SampleFrames.tagged(first, EtherType.VLAN, 1),
              SampleFrames.tagged(second, EtherType.VLAN, 1));
      assertThat(harness.drops()).containsExactly(entry("copied", 2L));
    }
  }

  @Test
  void shouldDropWhatCannotBeCopied() {
    try (var harness = new ElementHarness(new VlanPush(1), 1, 0)) {
      harness.push(SampleFrames.udp4(10), SampleFrames.udp4(10));
      assertThat(harness.out("out")).hasSize(1);
      assertThat(harness.drops()).containsOnly(entry("copied", 1L), entry("no_buffer", 1L));
    }
  }

  @Test
  void shouldRefuseTagsThatCannotBe() {
    assertThat(new VlanPush(4_095, 8, 0x0800).problems())
        .containsExactly(
            "number out of range: vid=4095; write 0 to 4094",
            "number out of range: pcp=8; write 0 to 7",
            "no ether type of VLAN tags: etherType=0x0800; write 0x8100, 0x88a8 or 0x9100");
  }
}
