package io.linerate.graph.element;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.linerate.core.config.ConfigException;
import io.linerate.testkit.graph.ElementHarness;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RandomDropTest {
  private static final int PACKETS = 10_000;

  /** The lengths of the packets that pass. */
  private static List<Integer> passing(RandomDrop element) {
    List<Integer> passing = new ArrayList<>();
    try (var harness = new ElementHarness(element)) {
      for (int i = 0; i < PACKETS; i++) {
        harness.push(new byte[i % 1_000]);
        harness.out("out").forEach(packet -> passing.add(packet.length));
        harness.out("dropped");
      }
    }
    return passing;
  }

  @Test
  void shouldDropTheShareThatItIsTold() {
    // Ten standard deviations: the seed is fixed anyway.
    assertThat(passing(new RandomDrop(0.25, 1)).size()).isBetween(7_050, 7_950);
    assertThat(passing(new RandomDrop(0))).hasSize(PACKETS);
    assertThat(passing(new RandomDrop(1))).isEmpty();
  }

  @Test
  void shouldDropTheSamePacketsWithTheSameSeed() {
    assertThat(passing(new RandomDrop(0.5, 3))).isEqualTo(passing(new RandomDrop(0.5, 3)));
    assertThat(passing(new RandomDrop(0.5, 3))).isNotEqualTo(passing(new RandomDrop(0.5, 4)));
  }

  @Test
  void shouldCountAndTakeAnotherProbability() {
    try (var harness = new ElementHarness(new RandomDrop(1)).disconnect("dropped")) {
      harness.push(new byte[1], new byte[2]);
      assertThat(harness.drops()).containsExactly(entry("random", 2L));
      harness.write("probability", "0");
      harness.push(new byte[3]);
      assertThat(harness.out("out")).containsExactly(new byte[3]);
      assertThatThrownBy(() -> harness.write("probability", "1.5"))
          .isInstanceOf(ConfigException.class)
          .hasMessage("fraction out of range: probability=1.5; write 0.0 to 1.0");
      assertThat(harness.read("probability")).isEqualTo("0.0");
    }
    assertThat(new RandomDrop(Double.NaN).problems()).hasSize(1);
  }
}
