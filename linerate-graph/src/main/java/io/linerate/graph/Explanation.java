package io.linerate.graph;

import io.linerate.core.statistics.QueuePlace;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A graph on its workers, in words. A worker's queues come first, then its elements, upstream
 * first, then those of stages that are left to the engine, with why they are there: name, class,
 * the part of the worker's time that was measured of elements, and where what leaves it goes:
 * {@code -> element} for packets, {@code -(type)-> element} for tokens, {@code => worker} where a
 * queue hands over to another one.
 */
record Explanation(
    Graph graph, Layout layout, Collection<Replica> replicas, List<QueuePlace> queues) {
  String text() {
    StringBuilder text = new StringBuilder();
    List<Replica> moving = new ArrayList<>();
    Map<Replica, List<Replica>> stages = new HashMap<>(); // Asked once: each is in one place.
    for (Replica stage : replicas) {
      if (stage.isStage()) {
        Replica home = stage.freeStage().home();
        (home == null ? moving : stages.computeIfAbsent(home, _ -> new ArrayList<>())).add(stage);
      }
    }
    for (Replica replica : replicas) {
      if (!replica.hasEnded() && !replica.isStage()) {
        worker(text, replica, stages.getOrDefault(replica, List.of()));
      }
    }
    for (Replica stage : moving) {
      text.append("on its way to another worker%n".formatted());
      elements(text, stage, ns(stage));
    }
    return text.toString();
  }

  private void worker(StringBuilder text, Replica replica, List<Replica> stages) {
    int worker = replica.host().id();
    String received =
        queues.stream()
            .filter(place -> place.worker() == worker)
            .map(place -> "%s[%d]".formatted(place.port(), place.queue()))
            .collect(Collectors.joining(", "));
    text.append(
        "worker %d: receives %s%n".formatted(worker, received.isEmpty() ? "nothing" : received));
    long allNs = ns(replica) + stages.stream().mapToLong(Explanation::ns).sum();
    elements(text, replica, allNs);
    for (Replica stage : stages) {
      text.append("  stage left to the engine, %s%n".formatted(stage.freeStage().reason()));
      elements(text, stage, allNs);
    }
  }

  private static long ns(Replica replica) {
    return replica.elements().values().stream().mapToLong(element -> element.time().ns()).sum();
  }

  private void elements(StringBuilder text, Replica replica, long allNs) {
    for (RunningElement element : replica.elements().values()) {
      long ns = element.time().ns();
      text.append(
          "  %-20s %-18s %6s  %s%n"
              .formatted(
                  element.name(),
                  element.placed().element().getClass().getSimpleName(),
                  allNs == 0 ? "" : "%.1f %%".formatted(100.0 * ns / allNs),
                  String.join(", ", ways(element.placed(), replica.host().id()))));
    }
  }

  /** A worker, or the one that a stage is on. */
  private int workerOf(int id) {
    return replicas.stream()
        .filter(replica -> replica.host().id() == id)
        .mapToInt(Replica::worker)
        .findFirst()
        .orElse(id);
  }

  private List<String> ways(PlacedElement placed, int worker) {
    Shape shape = placed.element().shape();
    List<String> ways = new ArrayList<>();
    if (shape.isCrossing()
        && layout.inputs(placed.name()).contains(worker)
        && layout.emptier(placed.name(), worker) != worker) {
      ways.add("=> worker " + workerOf(layout.emptier(placed.name(), worker)));
    }
    if (layout.outputs(placed.name()).contains(worker)) {
      for (Edge edge : graph.edges()) {
        if (edge.from().equals(placed.name())) {
          ways.add(arrow(shape, edge));
        }
      }
    }
    shape.transmits().forEach(port -> ways.add("-> port " + port));
    return ways;
  }

  private static String arrow(Shape shape, Edge edge) {
    return shape
        .findOutput(edge.output())
        .map(ElementPort::type)
        .filter(type -> !type.isPackets())
        .map(type -> "-(%s)-> %s".formatted(type, edge.to()))
        .orElse("-> " + edge.to());
  }
}
