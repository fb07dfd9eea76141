package io.linerate.fabric;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** How long it took until failures were told: for people, no test depends on it. */
final class FailureTimes {
  private final Map<String, List<Long>> times = new TreeMap<>();

  void add(String what, long ns) {
    times.computeIfAbsent(what, _ -> new ArrayList<>()).add(ns);
  }

  /** A line for each: how many, the median and the worst in milliseconds. */
  String report() {
    StringBuilder text = new StringBuilder();
    times.forEach((what, all) -> {
      Collections.sort(all);
      text.append(
          "%-24s %4d times, median %7.1f ms, worst %7.1f ms%n"
              .formatted(what, all.size(), all.get(all.size() / 2) / 1e6, all.getLast() / 1e6));
    });
    return text.toString();
  }
}
