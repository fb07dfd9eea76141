package io.linerate.middlebox.rule;

import static io.linerate.testkit.graph.FrameBuilder.udp4;
import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.memory.Packet;
import io.linerate.testkit.Packets;
import io.linerate.wire.FlowKey;
import io.linerate.wire.HeaderScanner;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RuleMeterTest {
  private static final long SECOND_NS = 1_000_000_000;

  private static final FlowKey FLOW = new FlowKey();

  private static RuleMeter meter(long packets, Duration per, long burst) {
    return new RuleMeter(new RuleLimit(packets, per, burst, RuleLimit.Of.ALL), 1, 7);
  }

  @ParameterizedTest
  @CsvSource({"100, 1, 1", "1000000, 1, 50", "200000000, 1, 10", "7, 60, 3"})
  void shouldPassAsManyAsIsSaid(long packets, long seconds, long burst) {
    RuleMeter meter = meter(packets, Duration.ofSeconds(seconds), burst);
    long passed = 0;
    long calls = 400_000;
    long stepNs = Math.max(1, seconds * SECOND_NS / packets / 4);
    for (long i = 0; i < calls; i++) {
      passed += meter.allows(FLOW, 7 + i * stepNs) ? 1 : 0;
    }
    double wanted = (double) calls * stepNs * packets / (seconds * SECOND_NS);
    assertThat((double) passed).isBetween(wanted * 0.995, wanted * 1.005 + burst);
  }

  @Test
  void shouldPassABurstAtOnceAndFillUpAgain() {
    RuleMeter meter = meter(10, Duration.ofSeconds(1), 5);
    for (int i = 0; i < 5; i++) {
      assertThat(meter.allows(FLOW, 7)).isTrue();
    }
    assertThat(meter.allows(FLOW, 7)).isFalse();
    assertThat(meter.allows(FLOW, 7 + SECOND_NS / 10)).isTrue();
    assertThat(meter.allows(FLOW, 7 + SECOND_NS / 10)).isFalse();
    for (int i = 0; i < 5; i++) {
      assertThat(meter.allows(FLOW, 7 + 60 * SECOND_NS)).isTrue();
    }
    assertThat(meter.allows(FLOW, 7 + 60 * SECOND_NS)).isFalse();
  }

  @Test
  void shouldNeverPassMoreThanItsBurstAheadOfTime() {
    Random random = new Random(3);
    RuleMeter meter = meter(1_000, Duration.ofSeconds(1), 20);
    long now = 7;
    long passed = 0;
    for (int i = 0; i < 100_000; i++) {
      now += random.nextInt(1_000_000);
      passed += meter.allows(FLOW, now) ? 1 : 0;
      assertThat(passed).isLessThanOrEqualTo((now - 7) / 1_000_000 + 21);
    }
  }

  /** The key of a packet between two addresses. */
  private static FlowKey flow(String source, String destination) {
    FlowKey flow = new FlowKey();
    HeaderScanner scanner = new HeaderScanner();
    try (Packets packets = new Packets()) {
      Packet packet = udp4().between(source, destination).toPacket(packets);
      scanner.scan(packet);
      flow.read(packet, scanner);
    }
    return flow;
  }

  @Test
  void shouldCountEachHostForItself() {
    RuleLimit limit = new RuleLimit(10, Duration.ofSeconds(1), 2, RuleLimit.Of.SOURCE);
    RuleMeter meter = new RuleMeter(limit, 5, 7);
    for (int host = 1; host < 100; host++) {
      FlowKey flow = flow("10.0.0." + host, "192.0.2.1");
      FlowKey other = flow("10.0.0." + host, "192.0.2.2");
      assertThat(meter.allows(flow, 7)).isTrue();
      assertThat(meter.allows(other, 7)).isTrue();
      assertThat(meter.allows(flow, 7)).isFalse();
    }
    assertThat(meter.allows(flow("10.0.0.1", "192.0.2.1"), 7 + SECOND_NS / 10)).isTrue();
    assertThat(meter.allows(flow("10.0.0.1", "192.0.2.1"), 7 + SECOND_NS / 10)).isFalse();
  }

  /** A flood of sources that never come back costs nobody more than a new beginning. */
  @Test
  void shouldForgetThoseThatHaveLeastAheadOfTheirTime() {
    RuleLimit limit = new RuleLimit(1, Duration.ofSeconds(1), 10, RuleLimit.Of.SOURCE);
    RuleMeter meter = new RuleMeter(limit, 5, 7);
    FlowKey busy = flow("10.0.0.1", "192.0.2.1");
    for (int i = 0; i < 10; i++) {
      assertThat(meter.allows(busy, 7)).isTrue();
    }
    for (int i = 0; i < 2 * RuleMeter.HOSTS; i += 64) {
      assertThat(meter.allows(flow("11.%d.%d.1".formatted(i >> 16, i >> 8 & 255), "192.0.2.1"), 7))
          .isTrue();
    }
    assertThat(meter.allows(busy, 7)).isFalse();
  }
}
