package io.linerate.core.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class EngineConfigTest {
  private static final EngineConfig CONFIG = EngineConfig.DEFAULT;

  static Stream<Arguments> ranges() {
    return Stream.of(
        range("workers", 1, 128, CONFIG::withWorkers),
        range("rxburst", 1, 4_096, CONFIG::withRxBurst),
        range("txburst", 1, 4_096, CONFIG::withTxBurst),
        range("freeburst", 1, 4_096, CONFIG::withFreeBurst),
        range("drainus", 0, 1_000_000, CONFIG::withDrainUs),
        range("txretryus", 0, 1_000_000, CONFIG::withTxRetryUs),
        range("memory", 16, 1_048_576, CONFIG::withMemoryMiB),
        range("buffers", 64, 8_388_608, CONFIG::withBuffers),
        range("descriptors", 0, 32_768, CONFIG::withDescriptors),
        range("mtu", 68, 9_500, CONFIG::withMtu),
        range("slowburstus", 1, 60_000_000, CONFIG::withSlowBurstUs),
        range("queues", 0, 1_024, CONFIG::withQueues),
        range("maxworkers", 0, 128, CONFIG::withMaxWorkers),
        range("cpus", 0, 1_023, cpu -> CONFIG.withCpus(List.of(cpu))));
  }

  private static Arguments range(String key, int min, int max, IntFunction<?> with) {
    return Arguments.of(key, min, max, with);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("ranges")
  void shouldTakeWhatIsInRangeAndNameWhatIsNot(String key, int min, int max, IntFunction<?> with) {
    assertThat(with.apply(min)).isNotNull();
    assertThat(with.apply(max)).isNotNull();
    for (int wrong : new int[] {min - 1, max + 1, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
      assertThatThrownBy(() -> with.apply(wrong))
          .isInstanceOf(ConfigException.class)
          .hasMessageContainingAll(key + "=" + wrong, min + " to " + max);
    }
  }

  @Test
  void shouldChangeOneThingOnlyAndBeEqualWhenItIsChangedBack() {
    EngineConfig changed = CONFIG.withRxBurst(99).withCpus(List.of(0));
    assertThat(changed.rxBurst()).isEqualTo(99);
    assertThat(changed.cpus()).containsExactly(0);
    assertThat(changed).isNotEqualTo(CONFIG).hasToString("EngineConfig{rxburst=99, cpus=[0]}");
    assertThat(changed.withRxBurst(64).withCpus(List.of()))
        .isEqualTo(CONFIG)
        .hasSameHashCodeAs(CONFIG);
  }

  @Test
  void shouldWantCpuForEachWorkerOrNone() {
    assertThat(CONFIG.withWorkers(2).withCpus(List.of(0, 1)).cpus()).containsExactly(0, 1);
    assertThatThrownBy(() -> CONFIG.withCpus(List.of(0)).withWorkers(2))
        .isInstanceOf(ConfigException.class)
        .hasMessageContainingAll("cpus=[0]", "workers=2");
  }

  @Test
  void shouldKnowIdleStrategiesAndOrdersByTheirKeys() {
    assertThat(CONFIG.with("idle", "busy-spin").idle()).isEqualTo(Idle.BUSY_SPIN);
    assertThat(CONFIG.with("queuechoice", "longest").queueOrder()).isEqualTo(QueueOrder.LONGEST);
    assertThatThrownBy(() -> CONFIG.with("idle", "BUSY_SPIN"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContainingAll("idle=BUSY_SPIN", "busy-spin, yield, backoff, sleep, interrupt");
    assertThatThrownBy(() -> CONFIG.with("queuechoice", "shortest"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContainingAll("queuechoice=shortest", "round-robin, random, longest, flow");
  }

  @Test
  void shouldCountQueuesAndWorkers() {
    EngineConfig two = CONFIG.withWorkers(2);
    assertThat(two.queuesPerPort()).isEqualTo(2);
    assertThat(two.mostWorkers()).isEqualTo(2);
    EngineConfig more = two.withQueues(8).withMaxWorkers(4);
    assertThat(more.queuesPerPort()).isEqualTo(8);
    assertThat(more.mostWorkers()).isEqualTo(4);
  }

  @Test
  void shouldKnowTheSettingsOfOthers() {
    assertThat(CONFIG.get(PaintSettings.COLOUR)).isEqualTo("red");
    assertThat(CONFIG.with("tint", "blue").get(PaintSettings.COLOUR)).isEqualTo("blue");
    assertThatThrownBy(() -> CONFIG.with("color", "red"))
        .isInstanceOf(ConfigException.class)
        .hasMessage("unknown key: color=red; did you mean colour?");
  }
}
