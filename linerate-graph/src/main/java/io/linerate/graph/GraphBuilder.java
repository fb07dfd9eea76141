package io.linerate.graph;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Puts a graph together: see {@link Graph#of}. It accepts everything; the check comes later. */
public final class GraphBuilder {
  private final List<String> names = new ArrayList<>();
  private final List<Element> elements = new ArrayList<>();
  private final Map<String, Set<Integer>> workers = new LinkedHashMap<>();
  private final Map<String, Double> costs = new HashMap<>();
  private final List<Edge> edges = new ArrayList<>();
  private final List<GraphPart> parts = new ArrayList<>();

  /** Of parts. */
  private final List<GraphPart> inside = new ArrayList<>();

  GraphBuilder() {}

  /**
   * Adds an element.
   *
   * @param name a letter, then letters, digits, '-' and '_'; unique in the graph
   */
  public Node add(String name, Element element) {
    names.add(name);
    elements.add(element);
    Shape shape = element.shape();
    return new Node(
        name, first(ElementPort.names(shape.inputs())), first(ElementPort.names(shape.outputs())));
  }

  private static String first(List<String> ports) {
    return ports.isEmpty() ? "" : ports.getFirst();
  }

  /**
   * Adds the elements of another graph, each as {@code name/element}, and its edges. It is entered
   * by its inputs and left by its outputs, like an element; the first ones that its edges name are
   * the defaults.
   *
   * @param name as that of an element
   * @param graph with inputs or outputs: see {@link #input} and {@link #output}
   */
  public Node add(String name, Graph graph) {
    for (PlacedElement placed : graph.elements()) {
      String path = GraphPart.path(name, placed.name());
      names.add(path);
      elements.add(placed.element());
      placed.workers().forEach(worker -> place(path, worker));
      costs.put(path, placed.cost());
    }
    GraphPart part = GraphPart.of(name, graph);
    parts.add(part);
    graph.parts().forEach(other -> inside.add(other.in(name)));
    edges.addAll(
        GraphPart.edges(
            name,
            graph.edges().stream()
                .filter(edge -> !edge.isFromOutside() && !edge.isToOutside())
                .toList()));
    return new Node(name, first(part.inputNames()), first(part.outputNames()));
  }

  /** Where what is put into an input of this graph comes from: the start of a chain. */
  public Node input(String name) {
    return new Node(Edge.OUTSIDE, "", name);
  }

  /** Where what leaves this graph by an output goes: the end of a chain. */
  public Node output(String name) {
    return new Node(Edge.OUTSIDE, name, "");
  }

  /** Connects each node's output with the next one's input. */
  public GraphBuilder chain(Node... nodes) {
    for (int i = 1; i < nodes.length; i++) {
      connect(nodes[i - 1].name(), nodes[i - 1].output(), nodes[i].name(), nodes[i].input());
    }
    return this;
  }

  /** Connects an output with an input. An input may have many edges, an output one. */
  public GraphBuilder connect(String from, String output, String to, String input) {
    edges.add(new Edge(from, output, to, input));
    return this;
  }

  /**
   * Places elements on one worker, for a pipeline, and so all elements that are connected with them
   * without a queue between. What is not placed runs on every worker. A part is placed with all
   * that is in it.
   */
  public GraphBuilder on(int worker, Node... nodes) {
    for (Node node : nodes) {
      place(node.name(), worker);
    }
    return this;
  }

  /**
   * Leaves a stage, which begins with a queue, to the engine: that queue's output, and all elements
   * behind it up to the next queue, are on one worker, whichever; see {@link GraphRunner#move}. All
   * of it works on tokens, and so does what is behind, which is left to the engine as well.
   *
   * @param cost what the stage takes, beside others that say so, until it is measured: more than 0
   * @param queue that is emptied there
   */
  public GraphBuilder anywhere(double cost, Node queue) {
    place(queue.name(), PlacedElement.ANYWHERE);
    costs.put(queue.name(), cost);
    return this;
  }

  /** As the other, of a stage of which nothing is known. */
  public GraphBuilder anywhere(Node queue) {
    return anywhere(PlacedElement.COST, queue);
  }

  private void place(String name, int worker) {
    workers.computeIfAbsent(name, _ -> new TreeSet<>()).add(worker);
  }

  Graph build() {
    List<PlacedElement> placed = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      String name = names.get(i);
      placed.add(
          new PlacedElement(
              name,
              elements.get(i),
              workersOf(name),
              costs.getOrDefault(name, PlacedElement.COST)));
    }
    List<GraphPart> all = new ArrayList<>(parts);
    all.addAll(inside);
    return new Graph(placed, new PartEdges(edges, all).between(), all);
  }

  private Set<Integer> workersOf(String name) {
    Set<Integer> all = new TreeSet<>();
    workers.forEach((placed, some) -> {
      if (GraphPart.contains(placed, name)) {
        all.addAll(some);
      }
    });
    return all;
  }
}
