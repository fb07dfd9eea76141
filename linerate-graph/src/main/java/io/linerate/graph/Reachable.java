package io.linerate.graph;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Function;

/** What can be reached in a graph, step by step. */
final class Reachable {
  private Reachable() {}

  /** All that one step or more lead to: the start itself only if it is on a cycle. */
  static <T> Set<T> from(T start, Function<T, ? extends Collection<T>> next) {
    Set<T> reached = new LinkedHashSet<>();
    Deque<T> left = new ArrayDeque<>(next.apply(start));
    while (!left.isEmpty()) {
      T at = left.remove();
      if (reached.add(at)) {
        left.addAll(next.apply(at));
      }
    }
    return reached;
  }
}
