package io.linerate.apps.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.config.Idle;
import io.linerate.core.memory.DropReason;
import io.linerate.core.worker.Engine;
import io.linerate.core.worker.RunSummary;
import io.linerate.testkit.AllocationMeter;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The capture on its worker allocates nothing per packet, DPDK and engine included. */
class CaptureAllocationTest {
  private static final int WINDOW_PACKETS = 1_000_000;

  /** Windows while the code is compiled, and those that count. */
  private static final int WARM_UP_WINDOWS = 10;

  private static final int WINDOWS = 10;

  @Test
  void shouldAllocateNothingPerPacket() {
    assumeTrue(
        getClass().getResource("/native/linux-x86_64/liblinerate_dpdk.so") != null,
        "skipped: the DPDK shim was not built");
    AllocationMeter meter = new AllocationMeter(WINDOW_PACKETS);
    CaptureHandler handler = new CaptureHandler(burst -> burst.dropAll(DropReason.CONSUMED));
    RunSummary summary;
    try (Engine engine = new Engine(EngineConfig.DEFAULT.withIdle(Idle.BUSY_SPIN))) {
      long enough = (WARM_UP_WINDOWS + WINDOWS + 2L) * WINDOW_PACKETS;
      long[] received = {0};
      engine
          .worker()
          .input(
              engine.port("dpdk:net_null0,size=64"),
              burst -> {
                int size = burst.size();
                handler.onBurst(burst);
                meter.add(size);
                received[0] += size;
                if (received[0] >= enough) {
                  engine.stop();
                }
              });
      summary = engine.run();
    }
    assertThat(summary.failures()).isEmpty();
    assertThat(summary.packets().isConserved()).isTrue();
    assertThat(summary.packets().dropped()).containsOnlyKeys("consumed");
    List<Long> windows = meter.windows();
    assertThat(windows).hasSizeGreaterThanOrEqualTo(WARM_UP_WINDOWS + WINDOWS);
    List<Long> warm = windows.subList(WARM_UP_WINDOWS, WARM_UP_WINDOWS + WINDOWS);
    assertThat(warm).as("heap bytes for %,d packets", WINDOW_PACKETS).contains(0L);
    // Late compilation makes an object now and then.
    assertThat(warm.stream().mapToLong(Long::longValue).sum())
        .isLessThan((long) WINDOWS * WINDOW_PACKETS / 1_000);
  }
}
