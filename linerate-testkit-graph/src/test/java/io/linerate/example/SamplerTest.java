package io.linerate.example;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.testkit.graph.ElementHarness;
import org.junit.jupiter.api.Test;

final class SamplerTest {
  private static byte[] numbered(int number) {
    return new byte[] {0, (byte) number};
  }

  @Test
  void shouldCopyEveryThirdAndThenEverySecond() {
    try (var harness = new ElementHarness(new Sampler(3))) {
      harness.push(numbered(1), numbered(2), numbered(3), numbered(4));
      harness.push(numbered(5), numbered(6));
      assertThat(harness.out("samples")).containsExactly(numbered(3), numbered(6));
      assertThat(harness.out("out")).hasSize(6);
      assertThat(harness.read("samples")).isEqualTo("2");

      harness.write("n", "2");
      harness.push(numbered(7), numbered(8));
      assertThat(harness.out("samples")).containsExactly(numbered(8));
      assertThat(harness.counts().made()).isEqualTo(3);
    }
  }

  @Test
  void shouldPassEverythingOnWhenNobodyTakesSamples() {
    try (var harness = new ElementHarness(new Sampler(1)).disconnect("samples")) {
      harness.push(numbered(1));
      assertThat(harness.out("out")).hasSize(1);
      assertThat(harness.read("samples")).isEqualTo("0");
    }
  }

  @Test
  void shouldPassEverythingOnWhenNoBufferIsFree() {
    try (var harness = new ElementHarness(new Sampler(1), 1)) {
      harness.push(numbered(1), numbered(2), numbered(3));
      assertThat(harness.out("out")).hasSize(3);
      assertThat(harness.out("samples")).hasSize(1);
      assertThat(harness.counts().noBuffers()).isEqualTo(2);
    }
  }
}
