package io.linerate.core.counter;

import java.util.ArrayList;
import java.util.List;

/** Takes the samples of a {@link SampleSource}. */
@FunctionalInterface
public interface SampleSink {
  void add(Sample sample);

  /**
   * Adds a number that only grows.
   *
   * @param namesAndValues of the labels, by turns
   */
  default void counter(String name, SampleUnit unit, long value, String... namesAndValues) {
    add(new Sample(name, labels(namesAndValues), SampleKind.COUNTER, unit, value));
  }

  /** Adds how something stands now. */
  default void gauge(String name, SampleUnit unit, long value, String... namesAndValues) {
    add(new Sample(name, labels(namesAndValues), SampleKind.GAUGE, unit, value));
  }

  /** Adds what the labels say. */
  default void info(String name, String... namesAndValues) {
    add(new Sample(name, labels(namesAndValues), SampleKind.INFO, SampleUnit.NONE, 1));
  }

  private static List<Label> labels(String... namesAndValues) {
    if (namesAndValues.length % 2 != 0) {
      throw new IllegalArgumentException(
          "a label has no value: labels=" + String.join(", ", namesAndValues));
    }
    List<Label> labels = new ArrayList<>(namesAndValues.length / 2);
    for (int i = 0; i < namesAndValues.length; i += 2) {
      labels.add(new Label(namesAndValues[i], namesAndValues[i + 1]));
    }
    return labels;
  }
}
