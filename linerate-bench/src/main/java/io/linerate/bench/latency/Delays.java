package io.linerate.bench.latency;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;

/**
 * What one contestant did with a load, from its start to its end.
 *
 * @param runs in turn with those of its twin
 * @param recording of the whole time
 */
record Delays(List<MeterRun> runs, FlightRecording recording) {
  private static final double NS_PER_US = 1_000;

  Delays {
    runs = List.copyOf(runs);
  }

  /** Those of several starts. */
  static Histogram together(List<Delays> all) {
    Histogram sum = new Histogram(3);
    all.forEach(one -> one.runs.forEach(run -> sum.add(run.delaysNs())));
    return sum;
  }

  static double us(Histogram delays, double percentile) {
    return delays.getValueAtPercentile(percentile) / NS_PER_US;
  }

  /** In us, over all runs. */
  double percentileUs(double percentile) {
    return us(together(List.of(this)), percentile);
  }

  /** Frames that did not come back. */
  static long lost(List<Delays> all) {
    return sum(all, run -> run.sent() - run.received());
  }

  /** How often packets waited for so long, by why. */
  static Map<Cause, Long> stalls(List<Delays> all) {
    return all.stream()
        .flatMap(one ->
            one.runs.stream().flatMap(run -> run.stalls().stream()).map(one.recording::causeOf))
        .collect(
            Collectors.groupingBy(
                cause -> cause, () -> new EnumMap<>(Cause.class), Collectors.counting()));
  }

  /**
   * "7 of 100 us or longer, 9.4 ms in all (2 collection, 5 none of these), of 12,000 ms, of which
   * the hypervisor took 10".
   */
  static String stallsText(List<Delays> all) {
    Map<Cause, Long> causes = stalls(all);
    double ms = sum(all, run -> run.stalls().stream().mapToLong(Stall::lengthNs).sum()) / 1e6;
    String by =
        causes.entrySet().stream()
            .map(entry -> entry.getValue() + " " + entry.getKey().title())
            .collect(Collectors.joining(", "));
    long durationMs = sum(all, MeterRun::durationNs) / 1_000_000;
    return "%d of %d us or longer, %.1f ms in all%s, of %,d ms, of which the hypervisor took %d"
        .formatted(
            causes.values().stream().mapToLong(Long::longValue).sum(),
            Stall.LEAST_NS / 1_000,
            ms,
            by.isEmpty() ? "" : " (" + by + ")",
            durationMs,
            sum(all, MeterRun::stolenMs));
  }

  private static long sum(List<Delays> all, ToLongFunction<MeterRun> what) {
    return all.stream().flatMap(one -> one.runs.stream()).mapToLong(what).sum();
  }
}
