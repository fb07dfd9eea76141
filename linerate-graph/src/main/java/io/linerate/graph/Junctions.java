package io.linerate.graph;

import java.util.ArrayDeque;
import java.util.Deque;
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
    findCycles();
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
    findCycles();
  }

  private void findCycles() {
    byName.values().forEach(junction -> junction.cyclic(isCyclic(junction)));
  }

  /** Forgets queues that the graph has not, and what else its elements shared. */
  synchronized void keep(Graph graph) {
    byName.keySet().removeIf(name -> graph.element(name).isEmpty());
    commons.keep(graph);
  }

  /** Whether packets can come back to a worker that feeds the queue. */
  private boolean isCyclic(Junction start) {
    return start.emptiers().entrySet().stream()
        .anyMatch(step ->
            !step.getKey().equals(step.getValue())
                && reachable(step.getValue()).contains(step.getKey()));
  }

  /** The workers that packets of one worker can come to, itself included. */
  private Set<Integer> reachable(Integer worker) {
    Set<Integer> reached = new HashSet<>(Set.of(worker));
    Deque<Integer> left = new ArrayDeque<>(reached);
    while (!left.isEmpty()) {
      Integer from = left.remove();
      for (Junction junction : byName.values()) {
        Integer to = junction.emptiers().get(from);
        if (to != null && reached.add(to)) {
          left.add(to);
        }
      }
    }
    return reached;
  }

  synchronized Junction of(String name) {
    return Objects.requireNonNull(byName.get(name), name);
  }
}
