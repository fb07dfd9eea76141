package io.linerate.core.counter;

import java.util.List;
import java.util.Optional;

/**
 * A number of a running program, at one moment: {@code
 * linerate_port_received_packets_total{port="in"} 123}. {@code docs/statistics.md} lists them all.
 *
 * @param name by the conventions of Prometheus: counters end in {@code _total}, times are in
 *     seconds
 * @param labels in the order in which they are written
 * @param unit what {@code value} counts
 */
public record Sample(
    String name, List<Label> labels, SampleKind kind, SampleUnit unit, long value) {
  public Sample {
    labels = List.copyOf(labels);
  }

  /** The value of a label. */
  public Optional<String> label(String labelName) {
    return labels.stream()
        .filter(label -> label.name().equals(labelName))
        .map(Label::value)
        .findFirst();
  }

  /** Name and labels as Prometheus writes them: {@code name{label="value",…}}. */
  public String key() {
    return SampleKey.text(name, labels);
  }

  @Override
  public String toString() {
    return key() + " " + unit.inUnitOfName(value).toPlainString();
  }
}
