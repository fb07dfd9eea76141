package io.linerate.core.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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
        range("memorychannels", 0, 32, CONFIG::withMemoryChannels),
        range("buffers", 64, 8_388_608, CONFIG::withBuffers),
        range("descriptors", 16, 32_768, CONFIG::withDescriptors),
        range("mtu", 68, 9_500, CONFIG::withMtu),
        range("queues", 0, 1_024, QueueConfig.DEFAULT::withPerPort),
        range("maxworkers", 0, 128, QueueConfig.DEFAULT::withMaxWorkers),
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
  void shouldChangeOneThingOnlyWithEachWither() throws ReflectiveOperationException {
    Map<Class<?>, Object> values =
        Map.of(
            int.class,
            99,
            boolean.class,
            false,
            String.class,
            "changed",
            List.class,
            List.of(),
            Idle.class,
            Idle.SLEEP,
            QueueConfig.class,
            new QueueConfig(3, QueueOrder.LONGEST, true, 5));
    EngineConfig start = CONFIG.withCpus(List.of(0)).withBlacklist(List.of("0000:00:00.0"));
    for (RecordComponent component : EngineConfig.class.getRecordComponents()) {
      if (component.getName().equals("workers")) {
        continue; // Not alone: there is one CPU.
      }
      Object value =
          component.getName().equals("memoryChannels") ? 7 : values.get(component.getType());
      EngineConfig changed = (EngineConfig) wither(component).invoke(start, value);
      for (RecordComponent each : EngineConfig.class.getRecordComponents()) {
        Object expected =
            each.getName().equals(component.getName()) ? value : each.getAccessor().invoke(start);
        assertThat(each.getAccessor().invoke(changed)).as(each.getName()).isEqualTo(expected);
      }
    }
  }

  private static Method wither(RecordComponent component) throws NoSuchMethodException {
    String name = component.getName();
    String with = "with" + name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
    return EngineConfig.class.getMethod(with, component.getType());
  }

  @Test
  void shouldWantCpuForEachWorkerOrNone() {
    assertThat(CONFIG.withWorkers(2).withCpus(List.of(0, 1)).cpus()).containsExactly(0, 1);
    assertThatThrownBy(() -> CONFIG.withCpus(List.of(0)).withWorkers(2))
        .isInstanceOf(ConfigException.class)
        .hasMessageContainingAll("cpus=[0]", "workers=2");
  }

  @Test
  void shouldKnowIdleStrategiesByTheirKeys() {
    for (Idle idle : Idle.values()) {
      assertThat(Idle.ofKey(idle.key())).isEqualTo(idle);
    }
    assertThat(Idle.BUSY_SPIN.key()).isEqualTo("busy-spin");
    assertThatThrownBy(() -> Idle.ofKey("BUSY_SPIN"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContainingAll("idle=BUSY_SPIN", "busy-spin, yield, backoff, sleep");
  }

  @Test
  void shouldKnowOrdersByTheirKeysAndCountQueuesAndWorkers() {
    for (QueueOrder order : QueueOrder.values()) {
      assertThat(QueueOrder.ofKey(order.key())).isEqualTo(order);
    }
    assertThatThrownBy(() -> QueueOrder.ofKey("shortest"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContainingAll("queuechoice=shortest", "round-robin, random, longest, flow");
    EngineConfig two = CONFIG.withWorkers(2);
    assertThat(two.queuesPerPort()).isEqualTo(2);
    assertThat(two.mostWorkers()).isEqualTo(2);
    EngineConfig more = two.withQueues(new QueueConfig(8, QueueOrder.RANDOM, true, 4));
    assertThat(more.queuesPerPort()).isEqualTo(8);
    assertThat(more.mostWorkers()).isEqualTo(4);
  }
}
