package io.linerate.graph.element;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.linerate.core.config.ConfigException;
import io.linerate.testkit.graph.ElementHarness;
import org.junit.jupiter.api.Test;

class CheckEthernetTest {
  @Test
  void shouldDropFramesByWhatIsWrong() {
    byte[] right = SampleFrames.udp4(18);
    byte[] groupSource = SampleFrames.with(right, 6, 0x01);
    byte[] length = SampleFrames.frame(40, new byte[50]);
    byte[] tooLongLength = SampleFrames.frame(51, new byte[50]);
    byte[] neither = SampleFrames.frame(1_520, new byte[1_530]);
    try (var harness = new ElementHarness(new CheckEthernet(60, 1_514)).disconnect("bad")) {
      harness.push(right, new byte[59], new byte[0], new byte[1_515], groupSource);
      harness.push(length, tooLongLength, SampleFrames.frame(1_501, new byte[1_500]));
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
