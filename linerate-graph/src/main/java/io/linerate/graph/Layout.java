package io.linerate.graph;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Which workers each element is on.
 *
 * @param in those of its inputs, by its name
 * @param out those of its outputs: others only for a queue
 */
record Layout(Map<String, Set<Integer>> in, Map<String, Set<Integer>> out) {
  Set<Integer> inputs(String name) {
    return in.getOrDefault(name, Set.of());
  }

  /** Numbers of the stages that are left to the engine. */
  Set<Integer> stages() {
    return out.values().stream()
        .flatMap(Set::stream)
        .filter(id -> id >= Stages.FIRST_FREE)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  Set<Integer> outputs(String name) {
    return out.getOrDefault(name, Set.of());
  }

  Set<Integer> both(String name) {
    Set<Integer> both = new TreeSet<>(inputs(name));
    both.addAll(outputs(name));
    return both;
  }

  /**
   * Whether each worker that feeds a queue has one worker that empties it: the same, the only one,
   * or the one at its place in the list.
   */
  boolean isPossible(String queue) {
    return outputs(queue).size() == 1 || inputs(queue).size() == outputs(queue).size();
  }

  /** The worker that empties what {@code feeder} puts into the queue. */
  int emptier(String queue, int feeder) {
    List<Integer> emptiers = new ArrayList<>(outputs(queue));
    if (emptiers.size() == 1) {
      return emptiers.getFirst();
    }
    return emptiers.contains(feeder) && inputs(queue).equals(outputs(queue))
        ? feeder
        : emptiers.get(new ArrayList<>(inputs(queue)).indexOf(feeder));
  }
}
