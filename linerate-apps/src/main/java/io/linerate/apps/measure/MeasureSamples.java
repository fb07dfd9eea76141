package io.linerate.apps.measure;

import io.linerate.core.counter.SampleSink;
import io.linerate.core.counter.SampleSource;
import io.linerate.core.counter.SampleUnit;
import io.linerate.program.run.Progress;
import java.time.Duration;
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
    LATENCY;

    String key() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private record Trial(long number, int frameBytes, Purpose purpose, long startNs, Duration time) {}

  private final List<SizeResult> found = new CopyOnWriteArrayList<>();
  private final int sizes;
  private volatile Trial trial = new Trial(0, 0, Purpose.LEARNING, 0, Duration.ZERO);
  private volatile double passedPps;

  /**
   * @param sizes of frames that are measured
   */
  MeasureSamples(int sizes) {
    this.sizes = sizes;
  }

  /** Another trial begins, which sends for so long. */
  void begins(int frameBytes, Purpose purpose, Duration time) {
    trial = new Trial(trial.number + 1, frameBytes, purpose, System.nanoTime(), time);
  }

  /** Which trial runs and how far it is, in a line; "" before the first. */
  String progress() {
    Trial now = trial;
    if (now.number == 0) {
      return "";
    }
    long elapsedNs = System.nanoTime() - now.startNs;
    return String.format(
        Locale.ROOT,
        "%d bytes (%d of %d), trial %d, %s %s",
        now.frameBytes,
        found.size() + 1,
        sizes,
        now.number,
        now.purpose.key(),
        Progress.bar((double) elapsedNs / now.time.toNanos(), elapsedNs));
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
        now.purpose.key());
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
