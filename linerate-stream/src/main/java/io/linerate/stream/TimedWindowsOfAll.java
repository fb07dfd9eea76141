package io.linerate.stream;

import io.linerate.graph.Wiring;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Windows of time, which are the same for all keys. */
final class TimedWindowsOfAll<A> extends WindowsOfAll<A> {
  private final boolean isWhole;

  /** By their end. */
  private final TreeMap<Long, Open<A>> open = new TreeMap<>();

  /**
   * @param known by the class of the key, and the key: see {@link Keys}
   */
  private record Open<A>(long startNs, Map<Class<?>, Map<Object, A>> known) {}

  TimedWindowsOfAll(CombineActor<A> actor, Wiring wiring) {
    super(actor.aggregate(), wiring);
    isWhole = actor.isWhole();
  }

  @Override
  void add(WindowPart.Known<A> part) {
    open.computeIfAbsent(part.endNs(), _ -> new Open<>(part.startNs(), new LinkedHashMap<>()))
        .known()
        .computeIfAbsent(part.key().getClass(), _ -> new LinkedHashMap<>())
        .merge(part.key(), part.known(), this::merge);
  }

  @Override
  void endUntil(long untilNs) {
    while (!open.isEmpty() && open.firstKey() <= untilNs) {
      Map.Entry<Long, Open<A>> window = open.pollFirstEntry();
      end(window.getValue(), window.getKey());
    }
  }

  private void end(Open<A> window, long endNs) {
    List<WindowResult<?, ?>> whole = new ArrayList<>();
    Consumer<WindowResult<?, ?>> to = isWhole ? whole::add : this::emit;
    for (Map<Object, A> ofClass : window.known.values()) {
      ofClass.forEach((key, known) -> to.accept(result(key, window.startNs, endNs, known)));
    }
    if (isWhole) {
      emit(Collections.unmodifiableList(whole));
    }
  }

  @Override
  int size() {
    return open.size();
  }
}
