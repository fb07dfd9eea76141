package io.linerate.apps.capture;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.memory.DropReason;
import io.linerate.core.statistics.PacketCounts;
import io.linerate.core.worker.Engine;
import io.linerate.testkit.Frames;
import io.linerate.testkit.PacketSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BudgetedPortTest {
  private static final int FRAMES = 20_000;

  /** Workers wait for what another may give back, because a filter ends it. */
  @ParameterizedTest
  @ValueSource(longs = {1, 65, 1_000, 4_321})
  void shouldCountToThePacketWhatAFilterAcceptsOnTwoWorkers(long packets) {
    EngineConfig config = EngineConfig.DEFAULT.withWorkers(2).with("filter", "ether[21] % 3 = 2");
    PacketBudget budget = new PacketBudget(packets);
    PacketCounts counts;
    try (Engine engine = new Engine(config)) {
      engine.eachWorker(worker ->
          worker.input(
              new BudgetedPort(
                  new PacketSource(engine.drivers().pools(), Frames.numbered(FRAMES, 64)),
                  budget,
                  true),
              burst -> burst.dropAll(DropReason.CONSUMED)));
      counts = engine.run().packets();
    }
    assertThat(counts.isConserved()).isTrue();
    assertThat(counts.dropped()).containsEntry("consumed", packets).containsKey("filtered");
    assertThat(PacketBudget.spent(counts)).isEqualTo(packets);
  }
}
