package io.linerate.driver.dpdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.config.Idle;
import io.linerate.core.statistics.RunSummary;
import io.linerate.core.worker.CpuAffinity;
import io.linerate.core.worker.Engine;
import io.linerate.testkit.AllocationMeter;
import java.util.BitSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** net_null: endless zeroes in, nothing out; no kernel and no peer in the way. */
class NetNullTest {
  @BeforeAll
  static void requireDpdk() {
    assumeTrue(DpdkLibrary.problem().isEmpty(), DpdkLibrary::problem);
  }

  @Test
  void shouldForwardAndAccountForEveryPacket() {
    EngineConfig config = EngineConfig.DEFAULT.withIdle(Idle.BUSY_SPIN);
    BitSet before = CpuAffinity.allowed();
    RunSummary summary;
    try (Engine engine = new Engine(config)) {
      var in = engine.port("dpdk:net_null0,size=64");
      var out = engine.port("dpdk:net_null1");
      var output = engine.worker().output(out);
      long[] left = {10_000_000};
      var meter = new AllocationMeter(1_000_000);
      engine
          .worker()
          .input(
              in,
              burst -> {
                meter.add(burst.size());
                left[0] -= burst.size();
                output.sendAll(burst);
                if (left[0] <= 0 && meter.isDone()) {
                  engine.stop();
                }
              });
      summary = engine.run();
      meter.assertQuiet();
    }
    assertThat(summary.packets().isConserved()).isTrue();
    assertThat(summary.packets().sent()).isGreaterThanOrEqualTo(10_000_000);
    assertThat(CpuAffinity.allowed()).isEqualTo(before);
  }
}
