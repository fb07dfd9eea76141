package io.linerate.graph;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** The queues of a graph by their names, and whatever else the workers share. */
final class Junctions {
  private final Map<String, Junction> byName = new HashMap<>();
  private final Commons commons = new Commons();
  private BackPressure backPressure = BackPressure.NONE;

  Commons commons() {
    return commons;
  }

  /** Those of a graph from now on: queues that are the same stay. */
  synchronized void prepare(Graph graph, Layout layout) {
    backPressure = new BackPressure(graph);
    for (PlacedElement placed : graph.elements()) {
      if (placed.element().shape().isCrossing()) {
        Junction old = byName.get(placed.name());
        if (old == null || !old.element().equals(placed.element())) {
          byName.put(placed.name(), new Junction(placed, layout));
        }
      }
    }
    lookForCycles();
  }

  synchronized BackPressure backPressure() {
    return backPressure;
  }

  /** A worker that was added feeds those of the graph's queues that are behind its elements. */
  synchronized void join(Layout layout, int worker) {
    byName.forEach((name, junction) -> junction.join(name, layout, worker));
  }

  /** A worker that had joined will never run. */
  synchronized void withdraw(int worker) {
    byName.values().forEach(junction -> junction.withdraw(worker));
  }

  /** The queues as they are. */
  synchronized Map<String, Junction> snapshot() {
    return Map.copyOf(byName);
  }

  /** The queues are again as they were: another graph was prepared, but does not come. */
  synchronized void restore(Map<String, Junction> before) {
    byName.clear();
    byName.putAll(before);
    lookForCycles();
  }

  private void lookForCycles() {
    byName.values().forEach(junction -> junction.cyclic(isCyclic(junction)));
  }

  /** Forgets queues that the graph has not, and what else its elements shared. */
  synchronized void keep(Graph graph) {
    byName.keySet().removeIf(name -> graph.element(name).isEmpty());
    commons.keep(graph);
  }

  /** Whether packets can come back to a worker that feeds the queue. */
  private boolean isCyclic(Junction start) {
    for (Map.Entry<Integer, Integer> way : start.emptiers().entrySet()) {
      Set<Integer> reached = new HashSet<>(Set.of(way.getValue()));
      while (byName.values().stream()
          .flatMap(junction -> junction.emptiers().entrySet().stream())
          .filter(next -> reached.contains(next.getKey()))
          .map(next -> reached.add(next.getValue()))
          .toList()
          .contains(true)) {
        // Until nothing more is reached.
      }
      if (!way.getKey().equals(way.getValue()) && reached.contains(way.getKey())) {
        return true;
      }
    }
    return false;
  }

  synchronized Junction of(String name) {
    return Objects.requireNonNull(byName.get(name), name);
  }
}
