package io.linerate.apps.top;

import io.linerate.core.counter.CountersReader;
import io.linerate.core.counter.Sample;
import io.linerate.dashboard.state.SampleTable;
import java.util.List;

/**
 * The numbers of a program at the time at which it wrote them.
 *
 * @param timeMs since 1970
 */
record Moment(long timeMs, SampleTable table) {
  /**
   * What the program wrote last.
   *
   * @throws java.io.UncheckedIOException if it was stopped or killed while it wrote
   */
  static Moment of(CountersReader reader) {
    while (true) {
      long timeMs = reader.writtenMs();
      List<Sample> samples = reader.samples();
      if (reader.writtenMs() == timeMs) {
        return new Moment(timeMs, new SampleTable(samples));
      }
    }
  }
}
