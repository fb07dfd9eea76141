package io.linerate.graph;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * An element of a graph.
 *
 * @param name unique in its graph
 * @param workers numbers of the workers that it was placed on; empty: it was not placed
 */
public record PlacedElement(String name, Element element, Set<Integer> workers) {
  public PlacedElement {
    workers = Collections.unmodifiableSet(new TreeSet<>(workers));
  }

  /** The queues that it watches: those of its own part. */
  List<String> watches() {
    return element.shape().watches().stream().map(queue -> GraphPart.beside(name, queue)).toList();
  }
}
