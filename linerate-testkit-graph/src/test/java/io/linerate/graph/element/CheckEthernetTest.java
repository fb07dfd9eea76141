package io.linerate.graph.element;

import static io.linerate.testkit.graph.FrameBuilder.ethernet;
import static io.linerate.testkit.graph.FrameBuilder.udp4;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.linerate.core.config.ConfigException;
import io.linerate.testkit.graph.ElementHarness;
import org.junit.jupiter.api.Test;

class CheckEthernetTest {
  @Test
  void shouldDropFramesByWhatIsWrong() {
    byte[] right = udp4().payload(18).toBytes();
    byte[] groupSource = udp4().payload(18).bytes(6, 0x01).toBytes();
    byte[] length = ethernet(40).payload(new byte[50]).toBytes();
    byte[] tooLongLength = ethernet(51).payload(new byte[50]).toBytes();
    byte[] neither = ethernet(1_520).payload(new byte[1_530]).toBytes();
    try (var harness = new ElementHarness(new CheckEthernet(60, 1_514)).disconnect("bad")) {
      harness.push(right, new byte[59], new byte[0], new byte[1_515], groupSource);
      harness.push(length, tooLongLength, ethernet(1_501).payload(new byte[1_500]).toBytes());
      harness.push(neither);
      assertThat(harness.out("out")).containsExactly(right, length);
      assertThat(harness.drops())
          .containsOnly(
              entry("frame_too_short", 2L),
              entry("frame_too_long", 2L),
              entry("group_source", 1L),
              entry("bad_frame_length", 2L));
    }
  }

  @Test
  void shouldSendBadFramesToTheirOutput() {
    try (var harness = new ElementHarness(new CheckEthernet())) {
      byte[] bad = new byte[13];
      byte[] right = new byte[14];
      harness.push(bad, right);
      assertThat(harness.out("bad")).containsExactly(bad);
      assertThat(harness.out("out")).containsExactly(right);
      assertThat(harness.drops()).isEmpty();
    }
  }

  @Test
  void shouldRefuseLengthsThatCannotBe() {
    assertThat(new CheckEthernet(13, 70_000).problems()).hasSize(2);
    assertThatThrownBy(() -> new ElementHarness(new CheckEthernet(100, 99)).close())
        .isInstanceOf(ConfigException.class)
        .hasMessage("number out of range: maxBytes=99; write 100 to 65535");
  }
}
