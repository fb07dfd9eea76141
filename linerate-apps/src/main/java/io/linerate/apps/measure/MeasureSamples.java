package io.linerate.apps.measure;

import io.linerate.core.counter.SampleSink;
import io.linerate.core.counter.SampleSource;
import io.linerate.core.counter.SampleUnit;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;

/** Which trial runs, and what was found until now, as samples. Any thread. */
final class MeasureSamples implements SampleSource {
  /** What a trial is for. */
  enum Purpose {
    LEARNING,
    MAXIMUM,
    SEARCH,
    LATENCY
  }

  private record Trial(long number, int frameBytes, Purpose purpose) {}

  private final List<SizeResult> found = new CopyOnWriteArrayList<>();
  private volatile Trial trial = new Trial(0, 0, Purpose.LEARNING);
  private volatile double passedPps;

  /** Another trial begins. */
  void begins(int frameBytes, Purpose purpose) {
    trial = new Trial(trial.number + 1, frameBytes, purpose);
  }

  /** The search that runs has this as the highest rate that passed. */
  void passed(double packetsPerSecond) {
    passedPps = packetsPerSecond;
  }

  /** A size is done. */
  void found(SizeResult result) {
    found.add(result);
  }

  @Override
  public void collect(SampleSink sink) {
    Trial now = trial;
    sink.counter("linerate_trials_total", SampleUnit.NONE, now.number);
    sink.info(
        "linerate_trial_info",
        "frame_bytes",
        String.valueOf(now.frameBytes),
        "purpose",
        now.purpose.name().toLowerCase(Locale.ROOT));
    sink.gauge("linerate_trial_passed_packets_per_second", SampleUnit.NONE, Math.round(passedPps));
    for (SizeResult result : found) {
      sink.gauge(
          "linerate_throughput_packets_per_second",
          SampleUnit.NONE,
          Math.round(result.throughputPps()),
          "frame_bytes",
          String.valueOf(result.frameBytes()),
          "limited_by",
          result.limit().title());
    }
  }
}
