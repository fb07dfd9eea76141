package io.linerate.graph.element;

import static io.linerate.testkit.graph.FrameBuilder.ethernet;
import static io.linerate.testkit.graph.FrameBuilder.udp4;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.linerate.testkit.graph.ElementHarness;
import io.linerate.testkit.graph.FrameBuilder;
import io.linerate.wire.EtherType;
import org.junit.jupiter.api.Test;

class VlanPushTest {
  private static final String NOBODY = "00:00:00:00:00:00";

  private static byte[] pushed(FrameBuilder frame) {
    return frame.vlan(EtherType.PROVIDER_BRIDGE, tag -> tag.pcp(3).vid(100)).toBytes();
  }

  @Test
  void shouldPutTheTagBehindTheAddresses() {
    FrameBuilder plain = udp4().payload(10);
    FrameBuilder zeros = ethernet(0).ethernet(NOBODY, NOBODY);
    try (var harness = new ElementHarness(new VlanPush(100, 3, EtherType.PROVIDER_BRIDGE))) {
      harness.push(plain, plain.vlan(5), zeros);
      harness.push(new byte[13]);
      assertThat(harness.out("out"))
          .containsExactly(pushed(plain), pushed(plain.vlan(5)), pushed(zeros));
      assertThat(harness.drops()).containsExactly(entry("truncated_ethernet", 1L));
    }
  }

  @Test
  void shouldCopyFramesWithoutRoomBeforeThem() {
    FrameBuilder first = udp4().payload(10);
    FrameBuilder second = udp4().payload(3_000);
    try (var harness = new ElementHarness(new VlanPush(1), 16, 3)) {
      harness.push(first, second);
      harness.expect("out", first.vlan(1), second.vlan(1));
      assertThat(harness.drops()).containsExactly(entry("copied", 2L));
    }
  }

  @Test
  void shouldDropWhatCannotBeCopied() {
    try (var harness = new ElementHarness(new VlanPush(1), 1, 0)) {
      harness.push(udp4().payload(10), udp4().payload(10));
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
