package io.linerate.example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.linerate.testkit.graph.ElementHarness;
import org.junit.jupiter.api.Test;

final class MinLengthTest {
  @Test
  void shouldDropWhatIsTooShort() {
    try (var harness = new ElementHarness(new MinLength(60))) {
      harness.push(new byte[59], new byte[60], new byte[0], new byte[61]);
      assertThat(harness.out("out")).containsExactly(new byte[60], new byte[61]);
      assertThat(harness.drops()).containsExactly(entry("too_short", 2L));
    }
  }
}
