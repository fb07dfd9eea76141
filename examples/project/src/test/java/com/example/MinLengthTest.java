package com.example;

import static io.linerate.testkit.graph.FrameBuilder.udp4;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.linerate.testkit.graph.ElementHarness;
import org.junit.jupiter.api.Test;

final class MinLengthTest {
  @Test
  void shouldDropWhatIsTooShort() {
    try (var harness = new ElementHarness(new MinLength(60))) {
      harness.push(udp4().payload(17), udp4().payload(18)); // Headers have 42 bytes.
      assertThat(harness.out("out")).hasSize(1);
      assertThat(harness.drops()).containsExactly(entry("too_short", 1L));
    }
  }
}
