package io.linerate.decode;

import io.linerate.core.config.NearestWord;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** What is said of the name of a field that there is not. */
final class UnknownField {
  /** Fewer letters begin too many names to be meant for one. */
  private static final int LEAST_PREFIX = 3;

  /**
   * Fields of tshark that people ask for, or what their names begin with, and what stands for them.
   */
  private static final Map<String, String> INSTEAD =
      Map.ofEntries(
          Map.entry("tcp.seq", "numbers are as they are in packets; write tcp.seq_raw"),
          Map.entry("tcp.ack", "numbers are as they are in packets; write tcp.ack_raw"),
          Map.entry("tcp.nxtseq", "add tcp.len to tcp.seq_raw"),
          Map.entry("tcp.window_size", "windows are not scaled; write tcp.window_size_value"),
          Map.entry("tcp.time_", "take differences of frame.time_epoch in each tcp.stream"),
          Map.entry(
              "tcp.analysis.", "compare tcp.seq_raw, tcp.ack_raw and tcp.len in each tcp.stream"),
          Map.entry("tcp.completeness", "linerate flows says the flags of each connection"),
          Map.entry(
              "_ws.col.",
              "linerate decode --summary prints such columns, frame.protocols the protocols"),
          Map.entry("frame.interface_", "packets do not say their interface; decode one at a time"),
          Map.entry("frame.comment", "comments of captures are not read"),
          Map.entry("frame.time_delta_displayed", "write frame.time_delta"));

  private UnknownField() {}

  /** A sentence that says what is near, or what stands for it. */
  static String message(Protocols protocols, String name) {
    if (name.isBlank()) {
      return "name of a field is empty: name=%s; leave out the comma".formatted(name);
    }
    String instead = instead(name.toLowerCase(Locale.ROOT));
    return "no such field: name=%s%s; %s"
        .formatted(
            name,
            nearest(protocols, name.toLowerCase(Locale.ROOT))
                .map(near -> ", nearest=" + near)
                .orElse(""),
            instead.isEmpty() ? "linerate decode --list-fields prints all" : instead);
  }

  private static String instead(String name) {
    return INSTEAD.entrySet().stream()
        .filter(entry ->
            entry.getKey().matches(".*[._]")
                ? name.startsWith(entry.getKey())
                : name.equals(entry.getKey()))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElse("");
  }

  private static Optional<String> nearest(Protocols protocols, String name) {
    List<String> names = new ArrayList<>(protocols.fieldNames());
    protocols.all().forEach(protocol -> names.add(protocol.fields().name()));
    return names.stream()
        .filter(name::equalsIgnoreCase)
        .findFirst()
        .or(() -> beginning(name, names))
        .or(() -> NearestWord.to(name, ofSameProtocol(name, names)))
        .or(() -> NearestWord.to(name, names));
  }

  /** The shortest name that begins so. */
  private static Optional<String> beginning(String name, List<String> names) {
    return names.stream()
        .filter(other -> name.length() >= LEAST_PREFIX && other.startsWith(name))
        .min(Comparator.comparingInt(String::length));
  }

  private static List<String> ofSameProtocol(String name, List<String> names) {
    String protocol = name.substring(0, name.indexOf('.') + 1);
    return names.stream()
        .filter(other -> !protocol.isEmpty() && other.startsWith(protocol))
        .toList();
  }
}
