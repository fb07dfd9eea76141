package io.linerate.graph.element;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.linerate.testkit.graph.ElementHarness;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DelayTest {
  private static byte[] packet(int number) {
    return new byte[number];
  }

  @Test
  void shouldKeepPacketsForTheirTimeInTheirOrder() {
    try (var harness = new ElementHarness(new Delay(1_000, 8))) {
      harness.push(packet(1), packet(2));
      harness.advance(400);
      harness.push(packet(3));
      harness.advance(599);
      harness.expectNothing("out");
      assertThat(harness.counts().held()).isEqualTo(3);
      harness.advance(1);
      assertThat(harness.out("out")).containsExactly(packet(1), packet(2));
      harness.advance(400);
      assertThat(harness.out("out")).containsExactly(packet(3));
      assertThat(harness.drops()).isEmpty();
    }
  }

  @Test
  void shouldDropWhatItHasNoRoomFor() {
    try (var harness = new ElementHarness(new Delay(1_000, 3))) {
      harness.push(packet(1), packet(2), packet(3), packet(4), packet(5));
      harness.advance(1_000);
      assertThat(harness.out("out")).containsExactly(packet(1), packet(2), packet(3));
      assertThat(harness.drops()).containsExactly(entry("delay_full", 2L));
    }
  }

  /** A capacity that is no power of two, and every position of the ring as its start. */
  @Test
  void shouldKeepTheOrderForever() {
    try (var harness = new ElementHarness(new Delay(10, 7))) {
      List<byte[]> in = new ArrayList<>();
      List<byte[]> out = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        in.add(packet(i));
        harness.push(packet(i));
        harness.advance(2);
        out.addAll(harness.out("out"));
      }
      harness.advance(10);
      out.addAll(harness.out("out"));
      assertThat(out).hasSize(200).containsExactlyElementsOf(in);
    }
  }

  @Test
  void shouldSendTheRestWhenItEnds() {
    try (var harness = new ElementHarness(new Delay(1_000_000_000))) {
      harness.push(packet(1), packet(2));
      harness.end();
      assertThat(harness.out("out")).containsExactly(packet(1), packet(2));
    }
  }

  @Test
  void shouldSendInTheNextRoundWithoutDelay() {
    try (var harness = new ElementHarness(new Delay(0))) {
      harness.push(packet(1));
      harness.expectNothing("out");
      harness.round();
      assertThat(harness.out("out")).hasSize(1);
    }
    assertThat(new Delay(-1, 0).problems()).hasSize(2);
  }
}
