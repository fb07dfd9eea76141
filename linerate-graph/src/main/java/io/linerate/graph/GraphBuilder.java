package io.linerate.graph;

import java.util.ArrayList;
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
  private final List<Edge> edges = new ArrayList<>();

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
    return new Node(name, first(shape.inputs()), first(shape.outputs()));
  }

  private static String first(List<ElementPort> ports) {
    return ports.isEmpty() ? "" : ports.getFirst().name();
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
   * without a queue between. What is not placed runs on every worker.
   */
  public GraphBuilder on(int worker, Node... nodes) {
    for (Node node : nodes) {
      workers.computeIfAbsent(node.name(), _ -> new TreeSet<>()).add(worker);
    }
    return this;
  }

  Graph build() {
    List<PlacedElement> placed = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      String name = names.get(i);
      placed.add(new PlacedElement(name, elements.get(i), workers.getOrDefault(name, Set.of())));
    }
    return new Graph(placed, edges);
  }
}
