package io.linerate.apps.top;

import static io.linerate.dashboard.state.SampleTable.by;

import io.linerate.core.counter.Sample;
import io.linerate.dashboard.state.Moment;
import io.linerate.dashboard.state.SampleTable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/** What a program did between two moments. */
record Interval(Moment before, Moment after) {
  private static final double MS_PER_S = 1_000;

  double seconds() {
    return (after.timeMs() - before.timeMs()) / MS_PER_S;
  }

  /** A number of the program. */
  Pace pace(ToLongFunction<SampleTable> number) {
    return pace(number.applyAsLong(before.table()), number.applyAsLong(after.table()));
  }

  /** All samples of a name together. */
  Pace pace(String name) {
    return pace(table -> table.value(name));
  }

  /** The samples of a name, by what they have as a label. */
  Map<String, Pace> paces(String name, String label) {
    return paces(table -> table.all(name), label);
  }

  /** Some samples, by what they have as a label. */
  Map<String, Pace> paces(Function<SampleTable, List<Sample>> some, String label) {
    Map<String, Long> earlier = by(some.apply(before.table()), label);
    Map<String, Pace> paces = new LinkedHashMap<>();
    by(some.apply(after.table()), label)
        .forEach((key, total) -> paces.put(key, pace(earlier.getOrDefault(key, 0L), total)));
    return paces;
  }

  private Pace pace(long earlier, long later) {
    double seconds = seconds();
    return new Pace(later, seconds > 0 ? Math.max(0, later - earlier) / seconds : Double.NaN);
  }
}
