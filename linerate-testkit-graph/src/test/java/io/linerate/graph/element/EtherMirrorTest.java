package io.linerate.graph.element;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.linerate.testkit.graph.ElementHarness;
import org.junit.jupiter.api.Test;

class EtherMirrorTest {
  @Test
  void shouldExchangeTheAddresses() {
    byte[] payload = SampleFrames.numbers(60);
    try (var harness = new ElementHarness(new EtherMirror())) {
      harness.push(
          SampleFrames.frame(SampleFrames.MAC_A, SampleFrames.MAC_B, 0x88B5, payload),
          new byte[13],
          SampleFrames.frame("ff:ff:ff:ff:ff:ff", SampleFrames.MAC_A, 0x0806));
      assertThat(harness.out("out"))
          .containsExactly(
              SampleFrames.frame(SampleFrames.MAC_B, SampleFrames.MAC_A, 0x88B5, payload),
              SampleFrames.frame(SampleFrames.MAC_A, "ff:ff:ff:ff:ff:ff", 0x0806));
      assertThat(harness.drops()).containsExactly(entry("truncated_ethernet", 1L));
    }
  }
}
