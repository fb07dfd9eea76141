package io.linerate.apps.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.config.Idle;
import io.linerate.core.memory.DropReason;
import io.linerate.core.statistics.RunSummary;
import io.linerate.core.worker.Engine;
import io.linerate.testkit.AllocationMeter;
import org.junit.jupiter.api.Test;

/** The capture on its worker allocates nothing per packet, DPDK and engine included. */
class CaptureAllocationTest {
  private static final int ROUND_PACKETS = 1_000_000;

  @Test
  void shouldAllocateNothingPerPacket() {
    assumeTrue(
        getClass().getResource("/native/linux-x86_64/liblinerate_dpdk.so") != null,
        "skipped: the DPDK shim was not built");
    AllocationMeter meter = new AllocationMeter(ROUND_PACKETS);
    CaptureHandler handler = new CaptureHandler(true, burst -> burst.dropAll(DropReason.CONSUMED));
    RunSummary summary;
    try (Engine engine = new Engine(EngineConfig.DEFAULT.withIdle(Idle.BUSY_SPIN))) {
      engine
          .worker()
          .input(
              engine.port("dpdk:net_null0,size=64"),
              burst -> {
                int size = burst.size();
                handler.onBurst(burst);
                meter.add(size);
                if (meter.isDone()) {
                  engine.stop();
                }
              });
      summary = engine.run();
    }
    assertThat(summary.failures()).isEmpty();
    assertThat(summary.packets().isConserved()).isTrue();
    assertThat(summary.packets().dropped()).containsOnlyKeys("consumed");
    meter.assertQuiet();
  }
}
