package io.linerate.graph;

import io.linerate.core.config.NearestWord;
import io.linerate.core.memory.LinkType;
import io.linerate.core.port.Port;
import io.linerate.core.worker.Engine;
import io.linerate.core.worker.Worker;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Finds everything that is wrong with a graph on one engine: its ports, queues and workers. */
final class EngineCheck {
  private final Graph graph;
  private final Set<Integer> workers = new TreeSet<>();

  /** Numbers of the workers' transmit queues. */
  private final Map<Integer, Integer> txQueueNumbers = new LinkedHashMap<>();

  private final Map<String, Port> ports = new LinkedHashMap<>();
  private final List<GraphProblem> problems = new ArrayList<>();
  private final GraphCheck check;
  private final Layout layout;
  private final LinkTypes linkTypes;

  EngineCheck(Graph graph, Engine engine) {
    this.graph = graph;
    for (Worker worker : engine.workers()) {
      workers.add(worker.id());
      txQueueNumbers.put(worker.id(), worker.txQueueNumber());
    }
    engine.ports().forEach(port -> ports.put(port.name(), port));
    check = new GraphCheck(graph);
    problems.addAll(check.problems());
    layout = check.stages().layout(workers, this::receivers);
    linkTypes = new LinkTypes(graph, ports::get);
    graph.elements().forEach(this::element);
  }

  /**
   * Workers that may get receive queues of a port: all, as far as each can have a transmit queue of
   * its own; otherwise those for which there is a receive queue.
   */
  private Set<Integer> receivers(String name) {
    Port port = ports.get(name);
    if (port == null || port.rxQueues() == 0) {
      return Set.of();
    }
    boolean canAllTransmit =
        graph.elements().stream()
            .flatMap(placed -> placed.element().shape().transmits().stream())
            .map(ports::get)
            .allMatch(exit -> exit == null || exit.txQueues() >= workers.size());
    return workers.stream()
        .limit(canAllTransmit ? workers.size() : port.rxQueues())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private void element(PlacedElement placed) {
    for (int worker : placed.workers()) {
      if (worker != PlacedElement.ANYWHERE && !workers.contains(worker)) {
        problem(
            "no such worker (" + worker + ")",
            placed.name(),
            "",
            "the engine has " + workers + "; set workers=" + (worker + 1));
      }
    }
    Shape shape = placed.element().shape();
    List<LinkType> others = linkTypes.notTaken(placed);
    if (!others.isEmpty()) {
      problem(
          "element needs Ethernet frames, and gets packets of link type " + LinkType.text(others),
          placed.name(),
          "",
          "put a ToEthernet before it, or choose what the port brings with linktype= in its address");
    }
    shape.receives().forEach(port -> receives(placed, port));
    shape.transmits().forEach(port -> transmits(placed, port));
    if (shape.isCrossing() && !layout.isPossible(placed.name())) {
      problem(
          "queue has several readers (fed on workers %s, emptied on %s)"
              .formatted(layout.inputs(placed.name()), layout.outputs(placed.name())),
          placed.name(),
          "",
          "place what is behind it on one worker, or on as many as feed it, or use a HashSwitch and a queue for each");
    }
  }

  private void receives(PlacedElement placed, String name) {
    Port port = ports.get(name);
    if (port == null) {
      missing(placed, name);
    } else if (port.rxQueues() == 0) {
      problem(
          "port has no receive queue (" + port.address() + ")",
          placed.name(),
          name,
          "give its address one, such as rx=PATH, or receive from another");
    }
  }

  private void transmits(PlacedElement placed, String name) {
    Port port = ports.get(name);
    if (port == null) {
      missing(placed, name);
      return;
    }
    int highest =
        layout.inputs(placed.name()).stream()
            .filter(workers::contains)
            .mapToInt(worker -> txQueueNumbers.getOrDefault(worker, 0))
            .max()
            .orElse(0);
    if (port.txQueues() == 0) {
      problem(
          "port has no transmit queue (" + port.address() + ")",
          placed.name(),
          name,
          "give its address one, such as tx=PATH, or transmit to another");
    } else if (highest >= port.txQueues()) {
      problem(
          "port has too few transmit queues (%d, worker %d needs its own)"
              .formatted(port.txQueues(), highest),
          placed.name(),
          name,
          "place it on workers below " + port.txQueues() + ", with a Queue before it");
    }
    List<LinkType> others = linkTypes.notTransmitted(placed, port);
    if (!others.isEmpty()) {
      problem(
          "port does not transmit packets of link type " + LinkType.text(others),
          placed.name(),
          name,
          "put a ToEthernet before it, or transmit to a capture file");
    }
  }

  private void missing(PlacedElement placed, String name) {
    problem(
        "engine has no such port",
        placed.name(),
        name,
        "open it first; there are "
            + (ports.isEmpty() ? "none" : String.join(", ", ports.keySet()))
            + NearestWord.to(name, ports.keySet())
                .map(word -> ": " + word + " is meant?")
                .orElse(""));
  }

  private void problem(String what, String element, String port, String cure) {
    problems.add(new GraphProblem(what, element, port, cure));
  }

  /**
   * Refuses a graph that is wrong.
   *
   * @throws GraphException with all problems
   */
  void require() {
    if (!problems.isEmpty()) {
      throw new GraphException(problems);
    }
  }

  /** What is hardly meant, though it is not wrong. */
  List<String> warnings() {
    return check.warnings();
  }

  void add(GraphProblem problem) {
    problems.add(problem);
  }

  Graph graph() {
    return graph;
  }

  Layout layout() {
    return layout;
  }

  Set<Integer> workers() {
    return workers;
  }

  /** The elements of a worker, upstream first. */
  List<PlacedElement> on(int worker) {
    return check.ordered().stream()
        .filter(placed -> layout.both(placed.name()).contains(worker))
        .toList();
  }

  /** The edges of a worker. */
  List<Edge> edgesOn(int worker) {
    return graph.edges().stream()
        .filter(edge -> layout.outputs(edge.from()).contains(worker))
        .toList();
  }
}
