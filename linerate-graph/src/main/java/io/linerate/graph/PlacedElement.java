package io.linerate.graph;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * An element of a graph.
 *
 * @param name unique in its graph
 * @param workers numbers of the workers that it was placed on; empty: it was not placed; {@link
 *     #ANYWHERE}: one of them, whichever
 * @param cost what it is said to take, in any unit, for the first place of what may be anywhere
 */
public record PlacedElement(String name, Element element, Set<Integer> workers, double cost) {
  /** In place of the number of a worker: see {@link GraphBuilder#anywhere}. */
  public static final int ANYWHERE = -1;

  /** What an element is said to take of which nothing is said. */
  static final double COST = 1;

  public PlacedElement {
    workers = Collections.unmodifiableSet(new TreeSet<>(workers));
  }

  /** An element that takes as much as others. */
  public PlacedElement(String name, Element element, Set<Integer> workers) {
    this(name, element, workers, COST);
  }

  /** The queues that it watches: those of its own part. */
  List<String> watches() {
    return element.shape().watches().stream().map(queue -> GraphPart.beside(name, queue)).toList();
  }
}
