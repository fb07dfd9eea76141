package io.linerate.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.stream.WindowResult;
import io.linerate.testkit.graph.FrameBuilder;
import io.linerate.wire.Tcp;
import java.util.List;
import org.junit.jupiter.api.Test;

class TallyTest {
  private static final int DOUBLED = 33;

  /** A day of a flood is more than an {@code int} has. */
  @Test
  void shouldCountMoreThanAnIntHas() {
    Tally tally = new Tally();
    tally.add(0, 40, Tcp.SYN, true);
    tally.add(1, 40, Tcp.SYN, true);
    tally.add(7, 0, 1);
    for (int i = 0; i < DOUBLED; i++) {
      tally.add(tally);
    }
    for (int end = 0; end <= 1; end++) {
      assertThat(tally.syns(end)).isEqualTo(1L << DOUBLED);
      assertThat(tally.beginnings(end)).isEqualTo(1L << DOUBLED);
    }
    assertThat(tally.evictedFlows()).isEqualTo(1L << DOUBLED);
    FlowId flow = FlowIdTest.of(FrameBuilder.tcp4());
    List<WindowResult<Object, Tally>> window = List.of(new WindowResult<>(flow, 0, 1, tally));
    assertThat(Attempt.of(window)).extracting(Attempt::syns).containsOnly(1L << DOUBLED);
  }
}
