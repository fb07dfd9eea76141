package io.linerate.graph;

import java.util.List;

/**
 * A graph that was put into another: see {@link GraphBuilder#add(String, Graph)}. Its elements are
 * among those of the other as {@code name/element}, and packets take the edges between elements, as
 * if there were no part. Left of it is which of its inputs and outputs lead where.
 *
 * @param inputs from the part, by its inputs, to its elements
 * @param outputs from its elements to the part, by its outputs
 */
public record GraphPart(String name, List<Edge> inputs, List<Edge> outputs) {
  private static final String SEPARATOR = "/";

  public GraphPart {
    inputs = List.copyOf(inputs);
    outputs = List.copyOf(outputs);
  }

  /** A graph under a name. What leads from an input straight to an output is among both. */
  static GraphPart of(String name, Graph graph) {
    return new GraphPart(
        name,
        edges(name, graph.edges().stream().filter(Edge::isFromOutside).toList()),
        edges(name, graph.edges().stream().filter(Edge::isToOutside).toList()));
  }

  /** The name of what has one inside of a part; that of the part itself for what is outside. */
  static String path(String part, String inside) {
    return inside.equals(Edge.OUTSIDE) ? part : part + SEPARATOR + inside;
  }

  /** Edges inside of a part as the graph around it has them. */
  static List<Edge> edges(String part, List<Edge> inside) {
    return inside.stream()
        .map(edge ->
            new Edge(path(part, edge.from()), edge.output(), path(part, edge.to()), edge.input()))
        .toList();
  }

  /** Whether a name is that of a part, or of something in it. */
  static boolean contains(String part, String name) {
    return name.equals(part) || name.startsWith(part + SEPARATOR);
  }

  /** The name of what is beside an element, in the same part. */
  static String beside(String element, String name) {
    return element.substring(0, element.lastIndexOf(SEPARATOR) + 1) + name;
  }

  /** The same of a part that is inside of another. */
  GraphPart in(String part) {
    return new GraphPart(path(part, name), edges(part, inputs), edges(part, outputs));
  }

  List<String> inputNames() {
    return inputs.stream().map(Edge::output).distinct().toList();
  }

  List<String> outputNames() {
    return outputs.stream().map(Edge::input).distinct().toList();
  }
}
