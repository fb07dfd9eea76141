package io.linerate.dashboard.state;

import io.linerate.core.counter.CountersReader;
import io.linerate.core.counter.Sample;
import io.linerate.core.counter.SampleSource;
import java.util.List;

/**
 * The numbers of a program at one time.
 *
 * @param timeMs since 1970
 */
public record Moment(long timeMs, SampleTable table) {
  /** How a program of this process stands now. */
  public static Moment now(SampleSource samples) {
    return new Moment(System.currentTimeMillis(), new SampleTable(samples.samples()));
  }

  /**
   * What a program wrote last, and when.
   *
   * @throws java.io.UncheckedIOException if it was stopped or killed while it wrote
   */
  public static Moment of(CountersReader reader) {
    while (true) {
      long timeMs = reader.writtenMs();
      List<Sample> samples = reader.samples();
      if (reader.writtenMs() == timeMs) {
        return new Moment(timeMs, new SampleTable(samples));
      }
    }
  }
}
