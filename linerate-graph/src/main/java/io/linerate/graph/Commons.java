package io.linerate.graph;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * What an element's replicas on all workers have in common: made by the first that asks, and kept
 * as long as the graph has the element.
 */
final class Commons {
  private final Map<Owner, Object> objects = new HashMap<>();

  /** An element by its place and parameters: one with others has nothing of the old one. */
  private record Owner(String name, Element element) {}

  private static Owner owner(PlacedElement placed) {
    return new Owner(placed.name(), placed.element());
  }

  @SuppressWarnings("unchecked")
  synchronized <T> T of(PlacedElement placed, Supplier<T> first) {
    return (T) objects.computeIfAbsent(owner(placed), _ -> first.get());
  }

  /** Forgets what belongs to elements that the graph has not. */
  synchronized void keep(Graph graph) {
    objects.keySet().retainAll(graph.elements().stream().map(Commons::owner).toList());
  }
}
