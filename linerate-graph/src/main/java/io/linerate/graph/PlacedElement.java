package io.linerate.graph;

import java.util.Collections;
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
}
