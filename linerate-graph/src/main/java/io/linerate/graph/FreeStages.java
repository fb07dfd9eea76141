package io.linerate.graph;

import io.linerate.core.config.ConfigException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Where the stages are that are left to the engine: see {@link GraphBuilder#anywhere}. Any thread
 * but a worker's.
 *
 * @param replicas of workers, and of stages
 */
record FreeStages(Collection<Replica> replicas) {
  private List<Replica> workers() {
    return replicas.stream().filter(one -> !one.isStage() && !one.hasEnded()).toList();
  }

  private static double cost(Replica replica) {
    return replica.elements().values().stream()
        .filter(RunningElement::isEmptiedHere)
        .mapToDouble(element -> element.placed().cost())
        .sum();
  }

  /**
   * Gives stages to workers that do not run yet, those that are said to take most first, each to
   * the one with least to do. An element that was placed on a worker counts as 1 there.
   */
  void place(List<Replica> stages) {
    Map<Replica, Double> loads = new LinkedHashMap<>();
    for (Replica worker : workers()) {
      double placed =
          worker.elements().values().stream()
              .filter(one -> one.placed().workers().contains(worker.host().id()))
              .count();
      loads.put(worker, placed);
    }
    List<Replica> dearestFirst = new ArrayList<>(stages);
    dearestFirst.sort(Comparator.comparingDouble(FreeStages::cost).reversed());
    for (Replica stage : dearestFirst) {
      Map.Entry<Replica, Double> least =
          loads.entrySet().stream().min(Map.Entry.comparingByValue()).orElseThrow();
      stage
          .freeStage()
          .reason(
              "placed at the start: worker %d had least to do (%.1f), the stage is said to take %.1f"
                  .formatted(least.getKey().host().id(), least.getValue(), cost(stage)));
      least.getKey().stages().take(stage);
      least.setValue(least.getValue() + cost(stage));
    }
  }

  /** Those that the balancer may move. */
  List<Replica> movable() {
    return replicas.stream()
        .filter(one -> one.isStage() && !one.hasEnded() && !one.freeStage().isFixed())
        .toList();
  }

  /** The queue that a stage begins with. */
  static String name(Replica stage) {
    return stage.elements().values().stream()
        .filter(RunningElement::isEmptiedHere)
        .map(RunningElement::name)
        .findFirst()
        .orElse("");
  }

  /** The stage that an element is in. */
  Replica of(String element) {
    return replicas.stream()
        .filter(Replica::isStage)
        .filter(one -> isIn(one, element))
        .findFirst()
        .orElseThrow(() ->
            new ConfigException(
                "element is in no stage that is left to the engine: element=%s; place it anew with a change of the graph, or leave it to the engine (anywhere)"
                    .formatted(element)));
  }

  /** An element of a queue is in the stage that it is emptied by. */
  private static boolean isIn(Replica stage, String element) {
    RunningElement found = stage.elements().get(element);
    return found != null
        && (found.isEmptiedHere() || !found.placed().element().shape().isCrossing());
  }

  Replica worker(int id) {
    return workers().stream()
        .filter(one -> one.host().id() == id)
        .findFirst()
        .orElseThrow(() ->
            new ConfigException(
                "no such worker: worker=%d; there are %s"
                    .formatted(id, workers().stream().map(one -> one.host().id()).toList())));
  }

  /**
   * Has another worker run a stage, from between two of its rounds on.
   *
   * @return whether it does; false: it did already, or workers are ending
   */
  CompletableFuture<Boolean> move(Replica stage, Replica to, String reason) {
    CompletableFuture<Boolean> done = new CompletableFuture<>();
    Replica from = stage.freeStage().home();
    if (from == null || from.equals(to)) {
      done.complete(false);
      return done;
    }
    from.host()
        .worker()
        .submit(() -> {
          if (!from.stages().release(stage)) {
            done.complete(false);
          } else if (to.stages().offer(new Arrival(stage, reason, done))) {
            to.host().worker().submit(to.stages()::takeArrived);
          } else { // It has ended.
            from.stages().take(stage);
            done.complete(false);
          }
        });
    return done;
  }

  /** A stage on its way to a worker. */
  record Arrival(Replica stage, String reason, CompletableFuture<Boolean> done) {}
}
