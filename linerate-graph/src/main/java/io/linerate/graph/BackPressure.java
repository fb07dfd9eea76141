package io.linerate.graph;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which queues hold back what feeds them, and which elements that keep tokens: these let packets
 * come, since what frees them may be among those. A queue on a cycle of queues holds nothing back:
 * full, it would wait for itself. It drops what it has no room for instead.
 */
final class BackPressure {
  static final BackPressure NONE = new BackPressure(Graph.of(_ -> {}));

  private final Graph graph;
  private final Map<String, Set<String>> ahead = new HashMap<>();
  private final Set<String> cyclic = new HashSet<>();

  /** By queue: all elements that what leaves it may come to. */
  private final Map<String, Set<String>> behind = new HashMap<>();

  BackPressure(Graph graph) {
    this.graph = graph;
    for (PlacedElement placed : graph.elements()) {
      Set<String> queues = queuesBehind(placed.name());
      placed.watches().forEach(queues::remove); // It drops before these are full.
      ahead.put(placed.name(), queues);
      if (isQueue(placed.name())) {
        behind.put(placed.name(), Reachable.from(placed.name(), this::targets));
      }
    }
    for (PlacedElement placed : graph.elements()) {
      if (isQueue(placed.name()) && feedsItself(placed.name())) {
        cyclic.add(placed.name());
      }
    }
    ahead.values().forEach(queues -> queues.removeAll(cyclic));
    for (PlacedElement placed : graph.elements()) {
      if (isHolding(placed.name())) {
        for (String name : reachedByTokensAlone(placed.name())) {
          Set<String> queues = ahead.get(name);
          if (queues != null) {
            queues.add(placed.name());
          }
        }
      }
    }
  }

  /** The queues that an element's packets come to next, and that hold it back. */
  Set<String> ahead(String element) {
    return ahead.getOrDefault(element, Set.of());
  }

  /** Whether a queue leads back to itself. */
  boolean isCyclic(String queue) {
    return behind.getOrDefault(queue, Set.of()).contains(queue);
  }

  /**
   * Whether a queue may be emptied while others are waited for: nothing that it sends comes to what
   * waits.
   */
  boolean mayEmpty(String queue, List<String> waitedFor) {
    Set<String> reached = behind.getOrDefault(queue, Set.of());
    for (int i = 0; i < waitedFor.size(); i++) { // An iterator would be an object for each look.
      if (reached.contains(waitedFor.get(i))) {
        return false;
      }
    }
    return true;
  }

  private boolean isQueue(String name) {
    return graph.element(name).map(placed -> placed.element().shape().isCrossing()).orElse(false);
  }

  /** The next ones, with elements between but no queue. */
  private Set<String> queuesBehind(String element) {
    Set<String> behind =
        Reachable.from(
            element, name -> stops(name) && !name.equals(element) ? Set.of() : targets(name));
    behind.removeIf(name -> !isQueue(name));
    return behind;
  }

  /** Whether what is behind an element does not hold back what is before it. */
  private boolean stops(String name) {
    return isQueue(name) || isHolding(name);
  }

  /**
   * What sends tokens to an element that holds them, by whatever is between, but no packets, unless
   * it lets these come itself.
   */
  private Set<String> reachedByTokensAlone(String holding) {
    Set<String> byTokens = before(holding, false);
    Set<String> byPackets = before(holding, true);
    byTokens.removeIf(name -> byPackets.contains(name) && !isHolding(name));
    return byTokens;
  }

  private Set<String> before(String holding, boolean isByPackets) {
    Set<String> before = new HashSet<>();
    for (Edge edge : graph.edges()) {
      if (edge.to().equals(holding) && isOfPackets(edge) == isByPackets) {
        before.add(edge.from());
        before.addAll(Reachable.from(edge.from(), name -> stops(name) ? Set.of() : sources(name)));
      }
    }
    return before;
  }

  private boolean isOfPackets(Edge edge) {
    return graph
        .element(edge.to())
        .flatMap(placed -> placed.element().shape().findInput(edge.input()))
        .map(port -> port.type().isPackets())
        .orElse(false);
  }

  private boolean isHolding(String name) {
    return graph.element(name).map(placed -> placed.element().shape().isHolding()).orElse(false);
  }

  private List<String> sources(String element) {
    return graph.edges().stream()
        .filter(edge -> edge.to().equals(element))
        .map(Edge::from)
        .toList();
  }

  private List<String> targets(String element) {
    return graph.edges().stream()
        .filter(edge -> edge.from().equals(element))
        .map(Edge::to)
        .toList();
  }

  private boolean feedsItself(String queue) {
    return Reachable.from(queue, this::ahead).contains(queue);
  }
}
