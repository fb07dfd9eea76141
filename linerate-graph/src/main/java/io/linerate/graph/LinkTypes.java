package io.linerate.graph;

import io.linerate.core.memory.LinkType;
import io.linerate.core.port.Port;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What the packets may begin with that come to each element of a graph, from its ports on. */
final class LinkTypes {
  private final Graph graph;
  private final Map<String, PlacedElement> byName = new HashMap<>();
  private final Map<String, Set<LinkType>> incoming = new HashMap<>();

  /**
   * @param ports the port of a name, null if there is none
   */
  LinkTypes(Graph graph, Function<String, @Nullable Port> ports) {
    this.graph = graph;
    graph.elements().forEach(placed -> byName.putIfAbsent(placed.name(), placed));
    Deque<PlacedElement> changed = new ArrayDeque<>();
    for (PlacedElement placed : byName.values()) {
      Set<LinkType> types = incoming.computeIfAbsent(placed.name(), _ -> new HashSet<>());
      placed.element().shape().receives().stream()
          .map(ports)
          .filter(port -> port != null)
          .forEach(port -> types.addAll(port.linkTypes()));
      changed.add(placed);
    }
    for (PlacedElement placed = changed.poll(); placed != null; placed = changed.poll()) {
      passOn(placed, changed::add);
    }
  }

  private void passOn(PlacedElement from, Consumer<PlacedElement> changed) {
    Set<LinkType> leaving = leaving(from);
    for (Edge edge : graph.edges()) {
      PlacedElement to = edge.from().equals(from.name()) ? byName.get(edge.to()) : null;
      if (to != null && passesPackets(from, edge) && of(to.name()).addAll(leaving)) {
        changed.accept(to);
      }
    }
  }

  /** A token has no link type, whatever it was made of. */
  private static boolean passesPackets(PlacedElement from, Edge edge) {
    return from.element().shape().findOutput(edge.output()).stream()
        .allMatch(port -> port.type().isPackets());
  }

  private Set<LinkType> leaving(PlacedElement from) {
    return switch (from.element().shape().links()) {
      case ANY -> Set.copyOf(of(from.name()));
      case ETHERNET, TO_ETHERNET -> LinkType.ETHERNET_ONLY;
    };
  }

  private Set<LinkType> of(String element) {
    return incoming.getOrDefault(element, Set.of());
  }

  /** Those that come to an element and are not among what it takes. */
  List<LinkType> notTaken(PlacedElement placed) {
    boolean takesAll = placed.element().shape().links() != Shape.Links.ETHERNET;
    return takesAll ? List.of() : except(of(placed.name()), LinkType.ETHERNET_ONLY::contains);
  }

  /** Those that come to an element and are not transmitted by a port. */
  List<LinkType> notTransmitted(PlacedElement placed, Port port) {
    return except(of(placed.name()), port::transmits);
  }

  private static List<LinkType> except(
      Collection<LinkType> types, Function<LinkType, Boolean> isTaken) {
    return types.stream().filter(type -> !isTaken.apply(type)).toList();
  }
}
