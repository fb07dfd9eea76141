package io.linerate.graph;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Leads the edges of a graph through the parts that it is made of, from element to element. */
final class PartEdges {
  private final List<Edge> edges;
  private final Map<String, GraphPart> parts = new LinkedHashMap<>();
  private final List<Edge> between = new ArrayList<>();

  PartEdges(List<Edge> edges, List<GraphPart> parts) {
    this.edges = edges;
    parts.forEach(part -> this.parts.putIfAbsent(part.name(), part));
  }

  /** The edges between elements; those of a part that has no such input or output as they are. */
  List<Edge> between() {
    for (Edge edge : edges) {
      GraphPart from = parts.get(edge.from());
      if (from == null || !from.outputNames().contains(edge.output())) {
        enter(edge, new HashSet<>());
        continue;
      }
      for (Edge way : from.outputs()) {
        if (way.input().equals(edge.output()) && !way.from().equals(from.name())) {
          enter(beginning(way, edge), new HashSet<>());
        }
      }
    }
    return between;
  }

  private static Edge beginning(Edge source, Edge edge) {
    return new Edge(source.from(), source.output(), edge.to(), edge.input());
  }

  /** An edge may lead into a part, and straight through any number of them. */
  private void enter(Edge first, Set<Edge> passed) {
    Deque<Edge> toEnter = new ArrayDeque<>(List.of(first));
    while (!toEnter.isEmpty()) {
      Edge edge = toEnter.pop();
      GraphPart part = parts.get(edge.to());
      if (part == null || !part.inputNames().contains(edge.input())) {
        between.add(edge);
        continue;
      }
      List<Edge> through = new ArrayList<>();
      for (Edge way : part.inputs()) {
        if (!way.output().equals(edge.input())) {
          continue;
        }
        if (!way.to().equals(part.name())) {
          between.add(beginning(edge, way));
        } else if (passed.add(way)) { // Straight through; not again: a circle leads nowhere.
          leave(edge, way, through);
        }
      }
      through.reversed().forEach(toEnter::push);
    }
  }

  /** What came straight through a part goes where the edges of its output lead. */
  private void leave(Edge source, Edge way, List<Edge> through) {
    for (Edge next : edges) {
      if (next.from().equals(way.to()) && next.output().equals(way.input())) {
        through.add(beginning(source, next));
      }
    }
  }
}
