package io.linerate.graph.element;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.linerate.testkit.graph.ElementHarness;
import org.junit.jupiter.api.Test;

class QueueTest {
  private static byte[] numbered(int number) {
    return new byte[] {(byte) number};
  }

  @Test
  void shouldSendInItsRoundsWhatItWasGivenInItsOrder() {
    try (var harness = new ElementHarness(Queue.dropping(100))) {
      for (int i = 0; i < 50; i += 2) {
        harness.push(numbered(i), numbered(i + 1));
      }
      harness.expectNothing("out");
      assertThat(harness.read("waiting")).isEqualTo("50");
      harness.round();
      assertThat(harness.out("out")).hasSize(32).startsWith(numbered(0)).endsWith(numbered(31));
      harness.round();
      assertThat(harness.out("out")).hasSize(18).endsWith(numbered(49));
      assertThat(harness.counts().held()).isZero();
    }
  }

  @Test
  void shouldDropWhatComesWhenItIsFull() {
    try (var harness = new ElementHarness(Queue.dropping(3))) {
      harness.push(numbered(0), numbered(1), numbered(2), numbered(3), numbered(4));
      assertThat(harness.drops()).containsExactly(entry("queue_full", 2L));
      harness.round();
      harness.push(numbered(5));
      harness.round();
      assertThat(harness.out("out"))
          .containsExactly(numbered(0), numbered(1), numbered(2), numbered(5));
    }
  }

  @Test
  void shouldSendWhatItHoldsAtItsEnd() {
    try (var harness = new ElementHarness(Queue.dropping(64))) {
      for (int i = 0; i < 40; i++) {
        harness.push(numbered(i));
      }
      harness.end();
      assertThat(harness.out("out")).hasSize(40);
      assertThat(harness.drops()).isEmpty();
    }
  }

  @Test
  void shouldNotTakeCapacitiesThatCannotBe() {
    assertThat(new Queue(0).problems())
        .containsExactly("bad capacity: capacity=0; write 1 to 16777216");
    assertThat(new Queue(1).problems()).isEmpty();
  }
}
