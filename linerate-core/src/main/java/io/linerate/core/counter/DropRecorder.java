package io.linerate.core.counter;

import io.linerate.core.flight.Flight;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Tells Flight Recorder once a second what was dropped, by reason, from samples. */
final class DropRecorder {
  private static final long INTERVAL_NS = 1_000_000_000;

  private final Map<String, Long> before = new HashMap<>();
  private long lastNs;

  /**
   * @param nowNs when it begins
   */
  DropRecorder(long nowNs) {
    lastNs = nowNs;
  }

  /**
   * Takes samples of the whole program, and tells of them if a second has passed.
   *
   * @param isLast whether it tells in any case
   */
  void take(List<Sample> samples, long nowNs, boolean isLast) {
    long intervalNs = nowNs - lastNs;
    if (intervalNs < INTERVAL_NS && !isLast) {
      return;
    }
    lastNs = nowNs;
    for (Sample sample : samples) {
      if (sample.name().equals("linerate_dropped_packets_total")) {
        String reason = sample.label("reason").orElse("");
        long packets = sample.value() - before.getOrDefault(reason, 0L);
        before.put(reason, sample.value());
        if (packets > 0) {
          Flight.drops(reason, packets, intervalNs);
        }
      }
    }
  }
}
