package io.linerate.dashboard.state;

import com.google.gson.stream.JsonWriter;
import io.linerate.core.config.NumberText;
import io.linerate.core.counter.Sample;
import io.linerate.core.memory.DropReason;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The samples of a program at one moment, to be found by name and labels. */
public final class SampleTable {
  private final List<Sample> samples;
  private final Map<String, List<Sample>> byName;

  public SampleTable(List<Sample> samples) {
    this.samples = List.copyOf(samples);
    byName = samples.stream().collect(Collectors.groupingBy(Sample::name));
  }

  /** All of them, in their order. */
  public List<Sample> samples() {
    return samples;
  }

  /** Those of a name. */
  public List<Sample> all(String name) {
    return byName.getOrDefault(name, List.of());
  }

  /** Those of a name with this label. */
  public List<Sample> all(String name, String label, String value) {
    return all(name).stream().filter(sample -> label(sample, label).equals(value)).toList();
  }

  public boolean has(String name) {
    return byName.containsKey(name);
  }

  /** The number of a name without labels, or all of the name together; 0 without. */
  public long value(String name) {
    return sum(all(name));
  }

  /** The number of a name with this label; 0 without. */
  public long value(String name, String label, String value) {
    return sum(all(name, label, value));
  }

  /** Writes a number of one port, worker, element or pool as a member. */
  void number(JsonWriter json, String member, String kind, String name, String what)
      throws IOException {
    json.name(member).value(value("linerate_" + kind + "_" + what, kind, name));
  }

  /** Writes all samples of a name together as a member; null without any. */
  void optional(JsonWriter json, String member, String name) throws IOException {
    json.name(member).value(has(name) ? Long.valueOf(value(name)) : null);
  }

  /**
   * Packets that devices lost, of what came to them or was given to them; those that no buffer was
   * free for are among the missed ones.
   */
  public long lost() {
    return value("linerate_port_missed_packets_total") + value("linerate_port_error_packets_total");
  }

  /** Packets that were dropped for reasons that are no good ends. */
  public long dropped() {
    return all("linerate_dropped_packets_total").stream()
        .filter(sample -> !DropReason.isGoodEnd(label(sample, "reason")))
        .mapToLong(Sample::value)
        .sum();
  }

  private static long sum(List<Sample> some) {
    return some.stream().mapToLong(Sample::value).sum();
  }

  /** The numbers of some samples, by what they have as a label. */
  public static Map<String, Long> by(List<Sample> some, String label) {
    Map<String, Long> numbers = new LinkedHashMap<>();
    some.forEach(sample -> numbers.merge(label(sample, label), sample.value(), Long::sum));
    return numbers;
  }

  /** The whole number that a sample has as a label; -1 if it has none. */
  static long number(Sample sample, String label) {
    return NumberText.read(label(sample, label), 0, Long.MAX_VALUE).orElse(-1L);
  }

  /** What a sample has as a label; "" without. */
  public static String label(Sample sample, String name) {
    return sample.label(name).orElse("");
  }
}
