package io.linerate.stream;

import io.linerate.graph.Wiring;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/** Windows of time, which are the same for all keys. */
final class TimedWindowsOfAll<A> extends WindowsOfAll<A> {
  /** By their end. */
  private final TreeMap<Long, Open<A>> open = new TreeMap<>();

  private record Open<A>(long startNs, Map<Object, A> known) {}

  TimedWindowsOfAll(Aggregate<?, A, ?> aggregate, Wiring wiring) {
    super(aggregate, wiring);
  }

  @Override
  void add(WindowPart.Known<A> part) {
    open.computeIfAbsent(part.endNs(), _ -> new Open<>(part.startNs(), new LinkedHashMap<>()))
        .known()
        .merge(part.key(), part.known(), this::merge);
  }

  @Override
  void endUntil(long untilNs) {
    while (!open.isEmpty() && open.firstKey() <= untilNs) {
      Map.Entry<Long, Open<A>> window = open.pollFirstEntry();
      long endNs = window.getKey();
      long startNs = window.getValue().startNs();
      window.getValue().known().forEach((key, known) -> emit(key, startNs, endNs, known));
    }
  }

  @Override
  int size() {
    return open.size();
  }
}
