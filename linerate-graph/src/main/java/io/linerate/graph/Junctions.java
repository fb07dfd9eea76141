package io.linerate.graph;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The queues of a graph by their names, and whatever else the workers share. */
final class Junctions {
  private final Map<String, Junction> byName = new HashMap<>();
  private final Commons commons = new Commons();
  private final LastRounds lastRounds = new LastRounds();
  private BackPressure backPressure = BackPressure.NONE;

  /** Workers with sources that have not ended, which bring more though no port does. */
  private final Set<Integer> withSources = ConcurrentHashMap.newKeySet();

  /** Workers from which more may come, through their own elements. */
  private final Set<Integer> bringing = ConcurrentHashMap.newKeySet();

  private volatile boolean hasStages;

  Commons commons() {
    return commons;
  }

  /** Whether more may come from a worker's own elements. Until it is said, it may. */
  void brings(int worker, boolean isSo) {
    if (isSo) {
      bringing.add(worker);
    } else {
      bringing.remove(worker);
    }
  }

  /** There are stages that are left to the engine. */
  void hasStages(boolean isSo) {
    hasStages = isSo;
  }

  /** Whether more may come from any worker's own elements to stages, wherever they will be. */
  boolean mayFeedStages() {
    return hasStages && !bringing.isEmpty();
  }

  LastRounds lastRounds() {
    return lastRounds;
  }

  /** Whether sources of a worker may still bring something. */
  void hasSources(int worker, boolean isSo) {
    if (isSo) {
      withSources.add(worker);
    } else {
      withSources.remove(worker);
    }
  }

  /** Whether a source of any worker may still bring something. */
  boolean haveSources() {
    return !withSources.isEmpty();
  }

  /**
   * How much has gone into rings of cycles, and out of them, while some of their workers are not at
   * their end: nobody works while it stays.
   */
  synchronized long movedInCycles() {
    return lastRounds.areAtEnd(cyclicWorkers())
        ? 0
        : byName.values().stream().mapToLong(Junction::movedInCycle).sum();
  }

  private Set<Integer> cyclicWorkers() {
    Set<Integer> workers = new HashSet<>();
    byName.values().forEach(junction -> workers.addAll(junction.cyclicWorkers()));
    return workers;
  }

  /** Whether nothing is on its way between workers that feed each other, all at their end. */
  synchronized boolean areCyclesQuiet() {
    Set<Integer> workers = cyclicWorkers();
    long before = lastRounds.withWork(workers);
    return before >= 0
        && byName.values().stream().allMatch(Junction::isEmpty)
        && lastRounds.withWork(workers) == before;
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

  /** Whether packets can come back to a worker that feeds the queue, from another. */
  private boolean isCyclic(Junction start) {
    return start.emptiers().entrySet().stream()
        .anyMatch(step ->
            !step.getKey().equals(step.getValue())
                && Reachable.from(step.getValue(), this::fedBy).contains(step.getKey()));
  }

  /** The workers that empty what a worker feeds. */
  private List<Integer> fedBy(Integer worker) {
    return byName.values().stream()
        .map(junction -> junction.emptiers().get(worker))
        .filter(Objects::nonNull)
        .toList();
  }

  synchronized Junction of(String name) {
    return Objects.requireNonNull(byName.get(name), name);
  }
}
