package io.linerate.graph;

import java.util.List;

/**
 * A graph that runs, in words: for pages and other programs.
 *
 * @param elements in the order of the graph
 */
public record GraphDescription(List<ElementDescription> elements, List<Edge> edges) {
  public GraphDescription {
    elements = List.copyOf(elements);
    edges = List.copyOf(edges);
  }
}
