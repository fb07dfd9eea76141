package io.linerate.analysis;

import static io.linerate.testkit.graph.FrameBuilder.udp4;
import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.testkit.graph.ElementHarness;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SteadyTimeTest {
  private static final long SECOND_NS = 1_000_000_000;
  private static final long DAY_NS = Duration.ofDays(1).toNanos();

  private final ElementHarness harness = new ElementHarness(new SteadyTime());

  @AfterEach
  void close() {
    harness.close();
  }

  private int out() {
    return harness.out("out").size();
  }

  private void push(int... ports) {
    for (int port : ports) {
      harness.push(udp4().ports(port, 1));
    }
  }

  @Test
  void shouldHoldAPacketUntilTheNextConfirmsItsTime() {
    push(1);
    assertThat(out()).isZero();
    push(2);
    harness.expect("out", udp4().ports(1, 1), udp4().ports(2, 1));
    harness.advance(DAY_NS);
    push(3);
    harness.expect("out", udp4().ports(3, 1));
    harness.advance(DAY_NS + 1);
    push(4);
    assertThat(out()).isZero();
    push(5);
    harness.expect("out", udp4().ports(4, 1), udp4().ports(5, 1));
    assertThat(harness.drops()).isEmpty();
  }

  @Test
  void shouldDropAPacketWhoseTimeTheNextContradicts() {
    push(1, 2);
    harness.advance(2 * DAY_NS);
    push(3);
    harness.advance(-2 * DAY_NS);
    push(4);
    harness.expect("out", udp4().ports(1, 1), udp4().ports(2, 1), udp4().ports(4, 1));
    assertThat(harness.drops()).isEqualTo(Map.of("time_jump", 1L));
  }

  @Test
  void shouldHoldNoPacketForLongerThanASecond() {
    push(1);
    harness.advance(SECOND_NS - 1);
    harness.round();
    assertThat(out()).isZero();
    harness.advance(1);
    harness.round();
    harness.expect("out", udp4().ports(1, 1));
    push(2);
    harness.expect("out", udp4().ports(2, 1));
  }

  @Test
  void shouldPassWhatItHoldsOnAtTheEnd() {
    push(1);
    harness.end();
    harness.expect("out", udp4().ports(1, 1));
  }
}
