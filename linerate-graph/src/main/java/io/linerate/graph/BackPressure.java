package io.linerate.graph;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Which queues hold back what feeds them. A queue on a cycle of queues holds nothing back: full, it
 * would wait for itself. It drops what it has no room for instead.
 */
final class BackPressure {
  static final BackPressure NONE = new BackPressure(Graph.of(_ -> {}));

  private final Graph graph;
  private final Map<String, Set<String>> ahead = new HashMap<>();
  private final Set<String> cyclic = new HashSet<>();

  BackPressure(Graph graph) {
    this.graph = graph;
    for (PlacedElement placed : graph.elements()) {
      Set<String> queues = queuesBehind(placed.name());
      placed.element().shape().heeds().forEach(queues::remove); // It drops before these are full.
      ahead.put(placed.name(), queues);
    }
    for (PlacedElement placed : graph.elements()) {
      if (isQueue(placed.name()) && feedsItself(placed.name())) {
        cyclic.add(placed.name());
      }
    }
    ahead.values().forEach(queues -> queues.removeAll(cyclic));
  }

  /** The queues that an element's packets come to next, and that hold it back. */
  Set<String> ahead(String element) {
    return ahead.getOrDefault(element, Set.of());
  }

  private boolean isQueue(String name) {
    return graph.element(name).map(placed -> placed.element().shape().isCrossing()).orElse(false);
  }

  private Set<String> queuesBehind(String element) {
    Set<String> queues = new LinkedHashSet<>();
    Set<String> seen = new HashSet<>();
    Deque<String> left = new ArrayDeque<>(Set.of(element));
    while (!left.isEmpty()) {
      String from = left.remove();
      for (Edge edge : graph.edges()) {
        if (edge.from().equals(from) && seen.add(edge.to())) {
          if (isQueue(edge.to())) {
            queues.add(edge.to());
          } else {
            left.add(edge.to());
          }
        }
      }
    }
    return queues;
  }

  private boolean feedsItself(String queue) {
    Set<String> seen = new HashSet<>();
    Deque<String> left = new ArrayDeque<>(ahead(queue));
    while (!left.isEmpty()) {
      String next = left.remove();
      if (next.equals(queue)) {
        return true;
      }
      if (seen.add(next)) {
        left.addAll(ahead(next));
      }
    }
    return false;
  }
}
