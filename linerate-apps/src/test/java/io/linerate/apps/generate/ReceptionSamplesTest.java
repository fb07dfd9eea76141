package io.linerate.apps.generate;

import static org.assertj.core.api.Assertions.assertThat;

import io.linerate.core.counter.Sample;
import io.linerate.core.worker.Engine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What comes back to a generator is to be seen while it runs. */
class ReceptionSamplesTest {
  private static final String LOOP = "ring:x,loopback";
  private static final String RECEIVED = "linerate_return_received_packets_total";

  private static Map<String, Long> numbers(Engine engine) {
    Map<String, Long> numbers = new LinkedHashMap<>();
    for (Sample sample : engine.samples()) {
      numbers.put(sample.key(), sample.value());
    }
    return numbers;
  }

  private static List<Long> quantiles(Map<String, Long> numbers) {
    List<Long> quantiles = new ArrayList<>();
    for (String part : List.of("0.5", "0.9", "0.99", "0.999", "1")) {
      Long value = numbers.get("linerate_latency_seconds{quantile=\"" + part + "\"}");
      if (value != null) {
        quantiles.add(value);
      }
    }
    return quantiles;
  }

  @Test
  void shouldShowWhatCameBackWhileItRunsAndTheSameAtTheEnd() {
    TrafficStream stream =
        TrafficStream.of("s", "size=64 rate=20kpps sequence=true timestamps=true");
    Traffic traffic =
        new Traffic(
            TrafficPlan.of(stream, Optional.of(Duration.ofHours(1)), Long.MAX_VALUE), LOOP, LOOP);
    GeneratorResult result;
    Map<String, Long> last;
    try (Engine engine = new Engine(Generator.withRoom(Generator.CONFIG))) {
      traffic.wire(engine);
      engine.start();
      long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
      List<Long> counts = new ArrayList<>();
      while (counts.size() < 5) {
        assertThat(System.nanoTime()).as("still nothing came back").isLessThan(endNs);
        Map<String, Long> numbers = numbers(engine);
        long received = numbers.get(RECEIVED);
        if (received > 0 && (counts.isEmpty() || received > counts.getLast())) {
          counts.add(received);
          assertThat(quantiles(numbers)).hasSize(5).isSorted();
          assertThat(numbers.get("linerate_latency_packets")).isGreaterThanOrEqualTo(received);
        }
      }
      engine.stop();
      assertThat(engine.awaitEnd(60_000)).isTrue();
      last = numbers(engine);
      result = traffic.result(engine.summary());
    }
    ReceptionResult reception = result.reception();
    assertThat(reception).isNotNull();
    assertThat(last)
        .containsEntry(RECEIVED, reception.received())
        .containsEntry("linerate_latency_packets", reception.delaysNs().getTotalCount())
        .containsEntry("linerate_return_duplicate_packets_total", 0L)
        .containsEntry("linerate_return_foreign_packets_total", 0L);
    assertThat(reception.delaysNs().getTotalCount()).isEqualTo(reception.received());
    assertThat(quantiles(last)).last().isEqualTo(reception.delaysNs().getMaxValue());
  }

  @Test
  void shouldNeverCountBackwardsFromOneTrialToTheNext() {
    TrafficStream stream = TrafficStream.of("s", "size=64 sequence=true timestamps=true");
    try (Trials trials = Trials.open(Generator.CONFIG, LOOP, LOOP, 64)) {
      Rate rate = Rate.parse("10kpps");
      trials.run(stream, rate, Duration.ofMillis(50));
      Map<String, Long> first = numbers(trials.engine());
      TrialResult second = trials.run(stream, rate, Duration.ofMillis(50));
      Map<String, Long> both = numbers(trials.engine());
      assertThat(both.get(RECEIVED)).isEqualTo(first.get(RECEIVED) + second.reception().received());
      assertThat(both.get("linerate_latency_packets"))
          .isEqualTo(second.reception().delaysNs().getTotalCount());
    }
  }
}
