package io.linerate.graph.element;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.testkit.graph.ElementHarness;
import org.junit.jupiter.api.Test;

class RoundRobinSwitchTest {
  private static byte[] packet(int number) {
    return new byte[number];
  }

  @Test
  void shouldGoOnWithTheNextOutputInTheNextBurst() {
    try (var harness = new ElementHarness(new RoundRobinSwitch(3))) {
      harness.push(packet(0), packet(1));
      harness.push(packet(2), packet(3), packet(4));
      assertThat(harness.out("out1")).containsExactly(packet(0), packet(3));
      assertThat(harness.out("out2")).containsExactly(packet(1), packet(4));
      assertThat(harness.out("out3")).containsExactly(packet(2));
      assertThat(harness.drops()).isEmpty();
    }
  }

  @Test
  void shouldRefuseNumbersThatCannotBe() {
    assertThat(new RoundRobinSwitch(0).problems())
        .containsExactly("number out of range: outputs=0; write 1 to 64");
  }
}
