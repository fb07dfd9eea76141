package io.linerate.graph;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The stages of a graph: elements that are connected without a queue between them, and so work on
 * the same worker. A queue's input belongs to one stage, its output to another or the same.
 */
final class Stages {
  /**
   * Number in a layout of the first stage that is left to the engine, as if it were a worker; those
   * of others follow.
   */
  static final int FIRST_FREE = 1 << 20;

  private static final String OUTPUT_SIDE = " ";

  private final Map<String, PlacedElement> elements;

  /** From a side of an element to the next one of its stage; a stage is named by its last one. */
  private final Map<String, String> parents = new HashMap<>();

  Stages(Map<String, PlacedElement> elements, List<Edge> edges) {
    this.elements = elements;
    for (Edge edge : edges) {
      String from = stage(outputSide(edge.from()));
      String to = stage(edge.to());
      if (!from.equals(to)) {
        parents.put(from, to);
      }
    }
  }

  private String stage(String side) {
    String at = side;
    for (String next = parents.get(at); next != null; next = parents.get(at)) {
      at = next;
    }
    return at;
  }

  private String outputSide(String name) {
    return isCrossing(name) ? name + OUTPUT_SIDE : name;
  }

  private boolean isCrossing(String name) {
    PlacedElement placed = elements.get(name);
    return placed != null && placed.element().shape().isCrossing();
  }

  /** The stage that an element sends in: the one that it was placed with. */
  private String stageOf(String name) {
    return stage(outputSide(name));
  }

  void check(List<GraphProblem> problems) {
    checkPlaces(problems);
    elements.values().forEach(placed -> checkFree(placed, problems));
    checkPorts(
        Shape::receives,
        "two readers of one receive queue",
        "receive from it in one element, and use a Tee or a Classifier behind it",
        problems);
    checkPorts(
        Shape::transmits,
        "two writers of one transmit queue",
        "lead all edges to one element, whose input takes any number",
        problems);
  }

  private void checkPlaces(List<GraphProblem> problems) {
    Map<String, PlacedElement> firsts = new LinkedHashMap<>();
    for (PlacedElement placed : elements.values()) {
      if (placed.workers().isEmpty()) {
        continue;
      }
      PlacedElement first = firsts.putIfAbsent(stageOf(placed.name()), placed);
      if (first != null && !first.workers().equals(placed.workers())) {
        problems.add(
            new GraphProblem(
                "elements are connected, but on different workers (%s and %s)"
                    .formatted(first.workers(), placed.workers()),
                first.name() + ", " + placed.name(),
                "",
                "put a Queue between them, or place them on the same workers"));
      }
    }
  }

  private boolean isFree(String stage) {
    return places(stage).contains(PlacedElement.ANYWHERE);
  }

  /** What is left to the engine works on tokens, from queue to queue. */
  private void checkFree(PlacedElement placed, List<GraphProblem> problems) {
    String name = placed.name();
    Shape shape = placed.element().shape();
    boolean isFreeIn = isFree(stage(name));
    boolean isFreeOut = isFree(stageOf(name));
    if (isFreeIn && !isFreeOut) {
      problems.add(
          new GraphProblem(
              "what is left to the engine leads to what is not",
              name,
              "",
              "leave what is behind to the engine, too, or place both"));
    }
    if (!isFreeOut) {
      return;
    }
    if (!shape.isCrossing() && shape.inputs().isEmpty()) {
      problems.add(
          new GraphProblem(
              "element is left to the engine and has no input",
              name,
              "",
              "put a queue behind it, and leave what is behind that to the engine"));
    }
    boolean hasPackets =
        Stream.concat(shape.inputs().stream(), shape.outputs().stream())
            .anyMatch(port -> port.type().isPackets());
    if (hasPackets) {
      problems.add(
          new GraphProblem(
              "element is left to the engine and works on packets",
              name,
              "",
              "place it on a worker"));
    }
    if (!(placed.cost() > 0)) {
      problems.add(
          new GraphProblem("bad cost: cost=" + placed.cost(), name, "", "write more than 0"));
    }
  }

  private void checkPorts(
      Function<Shape, List<String>> ports, String what, String cure, List<GraphProblem> problems) {
    Map<String, List<PlacedElement>> users = new LinkedHashMap<>();
    for (PlacedElement placed : elements.values()) {
      for (String port : ports.apply(placed.element().shape())) {
        users.computeIfAbsent(port, _ -> new ArrayList<>()).add(placed);
      }
    }
    users.forEach((port, all) -> {
      Set<String> clashing = new LinkedHashSet<>();
      for (int i = 0; i < all.size(); i++) {
        for (int j = i + 1; j < all.size(); j++) {
          if (mayMeet(all.get(i), all.get(j))) {
            clashing.add(all.get(i).name());
            clashing.add(all.get(j).name());
          }
        }
      }
      if (!clashing.isEmpty()) {
        problems.add(new GraphProblem(what, String.join(", ", clashing), port, cure));
      }
    });
  }

  /** Whether both are on one worker, or may be. */
  private boolean mayMeet(PlacedElement a, PlacedElement b) {
    Set<Integer> ofA = places(stageOf(a.name()));
    Set<Integer> ofB = places(stageOf(b.name()));
    return ofA.isEmpty() || ofB.isEmpty() || !Collections.disjoint(ofA, ofB);
  }

  /** Workers that a stage was placed on; none if it was not. */
  private Set<Integer> places(String stage) {
    Set<Integer> places = new TreeSet<>();
    for (PlacedElement placed : elements.values()) {
      if (stageOf(placed.name()).equals(stage)) {
        places.addAll(placed.workers());
      }
    }
    return places;
  }

  /**
   * The workers that each side of each element is on.
   *
   * @param workers numbers of those that the engine has
   * @param receivers workers that have a receive queue of a port, by its name
   */
  Layout layout(Set<Integer> workers, Function<String, Set<Integer>> receivers) {
    Map<String, Set<Integer>> byStage = new HashMap<>();
    List<String> open = new ArrayList<>();
    int free = FIRST_FREE;
    for (String stage : all()) {
      Set<Integer> own = places(stage);
      if (own.remove(PlacedElement.ANYWHERE)) {
        own.add(free++);
      }
      if (own.isEmpty()) {
        own.addAll(entered(stage, receivers));
        own.addAll(handedTo(stage));
      }
      byStage.put(stage, own);
      if (own.isEmpty()) {
        open.add(stage);
      }
    }
    // What only a queue feeds is where the queue is fed; a chain of queues is as long as it is.
    for (int round = 0; round <= open.size(); round++) {
      for (String stage : open) {
        for (String queue : elements.keySet()) {
          if (isCrossing(queue) && stageOf(queue).equals(stage)) {
            byStage
                .computeIfAbsent(stage, _ -> new TreeSet<>())
                .addAll(byStage.getOrDefault(stage(queue), Set.of()));
          }
        }
      }
    }
    Map<String, Set<Integer>> in = new LinkedHashMap<>();
    Map<String, Set<Integer>> out = new LinkedHashMap<>();
    for (String name : elements.keySet()) {
      in.put(name, orAll(byStage.getOrDefault(stage(name), Set.of()), workers));
      int only = elements.get(name).element().shape().emptiedOn();
      out.put(
          name,
          only == Shape.ANY_WORKER
              ? orAll(byStage.getOrDefault(stageOf(name), Set.of()), workers)
              : Set.of(only));
    }
    return new Layout(in, out);
  }

  private Set<String> all() {
    Set<String> stages = new LinkedHashSet<>();
    for (String name : elements.keySet()) {
      stages.add(stage(name));
      stages.add(stageOf(name));
    }
    return stages;
  }

  private Set<Integer> entered(String stage, Function<String, Set<Integer>> receivers) {
    Set<Integer> workers = new TreeSet<>();
    for (PlacedElement placed : elements.values()) {
      if (stageOf(placed.name()).equals(stage)) {
        placed.element().shape().receives().forEach(port -> workers.addAll(receivers.apply(port)));
      }
    }
    return workers;
  }

  /** Workers that queues hand packets of a stage to. */
  private Set<Integer> handedTo(String stage) {
    Set<Integer> workers = new TreeSet<>();
    for (PlacedElement placed : elements.values()) {
      int only = placed.element().shape().emptiedOn();
      if (only != Shape.ANY_WORKER && stageOf(placed.name()).equals(stage)) {
        workers.add(only);
      }
    }
    return workers;
  }

  private static Set<Integer> orAll(Set<Integer> some, Set<Integer> all) {
    return some.isEmpty() ? all : some;
  }
}
