package io.linerate.driver.dpdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.memory.DropReason;
import io.linerate.core.port.DriverPort;
import io.linerate.core.port.PortException;
import io.linerate.core.statistics.RunSummary;
import io.linerate.core.worker.Engine;
import org.junit.jupiter.api.Test;

/** More memory than there are huge pages for: goes on without them, as far as that is enough. */
class DpdkMemoryTest {
  @Test
  void shouldWorkWithoutHugepagesAndSayWhenMemoryIsTooLittle() {
    assumeTrue(DpdkLibrary.problem().isEmpty(), DpdkLibrary::problem);
    int memoryMiB = (int) Hugepages.freeMiB(Hugepages.SYSTEM) + 64;
    assumeTrue(memoryMiB <= 8_192, "too many huge pages are free to want more");
    EngineConfig config = EngineConfig.DEFAULT.withMemoryMiB(memoryMiB).withBuffers(100_000);
    RunSummary summary;
    try (Engine engine = new Engine(config)) {
      DriverPort in = engine.drivers().open("dpdk:net_null0,size=64");
      assertThatThrownBy(() -> tooMany(engine))
          .isInstanceOf(PortException.class)
          .hasMessageContaining("cannot make the packet buffers")
          .hasMessageContaining("hugepages=false")
          .hasMessageContaining("raise memory=");
      long[] left = {100_000};
      engine
          .worker()
          .input(
              in,
              burst -> {
                left[0] -= burst.size();
                burst.dropAll(DropReason.CONSUMED);
                if (left[0] <= 0) {
                  engine.stop();
                }
              });
      summary = engine.run();
    }
    assertThat(summary.packets().received()).isGreaterThanOrEqualTo(100_000);
    assertThat(summary.packets().isConserved()).isTrue();
  }

  private static void tooMany(Engine engine) {
    for (int i = 1; i < 100; i++) {
      engine.port("dpdk:net_null" + i + ",size=64");
    }
  }
}
