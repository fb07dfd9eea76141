package io.linerate.graph.element;

import static io.linerate.testkit.graph.FrameBuilder.numbers;
import static io.linerate.testkit.graph.FrameBuilder.udp4;
import static io.linerate.testkit.graph.FrameBuilder.udp6;
import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.testkit.graph.ElementHarness;
import org.junit.jupiter.api.Test;

class TeeTest {
  private static final byte[][] FRAMES = {
    udp4().payload(1).toBytes(), new byte[0], numbers(9_000), udp6().payload(2).toBytes()
  };

  @Test
  void shouldCopyEachPacketToEachOutput() {
    try (var harness = new ElementHarness(new Tee(2))) {
      harness.push(FRAMES);
      assertThat(harness.out("out")).containsExactly(FRAMES);
      assertThat(harness.out("copy1")).containsExactly(FRAMES);
      assertThat(harness.out("copy2")).containsExactly(FRAMES);
      assertThat(harness.read("missed")).isEqualTo("0");
      assertThat(harness.counts().made()).isEqualTo(8);
    }
  }

  @Test
  void shouldPassPacketsOnWhenTheirCopiesHaveNoBuffer() {
    try (var harness = new ElementHarness(new Tee(), 3)) {
      harness.push(FRAMES); // The long one needs five.
      assertThat(harness.out("out")).containsExactly(FRAMES);
      assertThat(harness.out("copy1")).containsExactly(FRAMES[0], FRAMES[1], FRAMES[3]);
      assertThat(harness.read("missed")).isEqualTo("1");
      assertThat(harness.drops()).isEmpty();
    }
  }

  @Test
  void shouldMakeNoCopiesForNobody() {
    try (var harness = new ElementHarness(new Tee(2)).disconnect("copy1")) {
      harness.push(FRAMES);
      assertThat(harness.out("copy2")).containsExactly(FRAMES);
      assertThat(harness.counts().made()).isEqualTo(4);
      assertThat(harness.read("missed")).isEqualTo("0");
    }
  }

  @Test
  void shouldRefuseNumbersThatCannotBe() {
    assertThat(new Tee(0).problems())
        .containsExactly("number out of range: copies=0; write 1 to 63");
    assertThat(new Tee(64).problems()).hasSize(1);
  }
}
