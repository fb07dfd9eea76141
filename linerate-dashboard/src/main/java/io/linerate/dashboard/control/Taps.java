package io.linerate.dashboard.control;

import io.linerate.core.config.ConfigException;
import io.linerate.graph.Edge;
import io.linerate.graph.Graph;
import io.linerate.graph.GraphRunner;
import io.linerate.graph.PlacedElement;
import io.linerate.graph.element.FileTap;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Taps on the edges of a running graph: each is an element between the two that the edge connected.
 * One that is full leaves the graph by itself; its file stays until it is removed.
 */
public final class Taps implements AutoCloseable {
  private static final int MOST = 8;

  private final GraphRunner graph;
  private final Map<String, OneTap> taps = new LinkedHashMap<>();
  private int made;

  /** A tap and the edge that it was put on. */
  record OneTap(String id, Edge edge, TapFile file) {
    String element() {
      return "tap-" + id;
    }
  }

  public Taps(GraphRunner graph) {
    this.graph = graph;
  }

  /**
   * Puts a tap on an edge.
   *
   * @return its id
   */
  synchronized String add(Edge edge, long packets) {
    if (taps.size() >= MOST) {
      throw new ConfigException("too many taps: most=" + MOST + "; remove one");
    }
    OneTap tap = new OneTap(String.valueOf(++made), edge, new TapFile(packets));
    try {
      graph.edit(now -> spliced(now, tap));
    } catch (RuntimeException e) {
      tap.file().close();
      throw e;
    }
    taps.put(tap.id(), tap);
    return tap.id();
  }

  private static Graph spliced(Graph now, OneTap tap) {
    if (!now.edges().contains(tap.edge())) {
      throw new ConfigException(
          "no such edge: edge=" + tap.edge() + "; see the edges in /api/state");
    }
    List<PlacedElement> elements = new ArrayList<>(now.elements());
    elements.add(new PlacedElement(tap.element(), new FileTap(tap.file().tap()), Set.of()));
    List<Edge> edges = new ArrayList<>(now.edges());
    edges.remove(tap.edge());
    edges.add(new Edge(tap.edge().from(), tap.edge().output(), tap.element(), "in"));
    edges.add(new Edge(tap.element(), "out", tap.edge().to(), tap.edge().input()));
    return new Graph(elements, edges, now.parts());
  }

  /** Without the tap: what came to it goes where it sent it. */
  private static Graph healed(Graph now, OneTap tap) {
    Optional<Edge> after =
        now.edges().stream().filter(edge -> edge.from().equals(tap.element())).findFirst();
    List<PlacedElement> elements = new ArrayList<>(now.elements());
    boolean isThere = elements.removeIf(placed -> placed.name().equals(tap.element()));
    if (!isThere || after.isEmpty()) {
      return now;
    }
    List<Edge> edges = new ArrayList<>();
    for (Edge edge : now.edges()) {
      if (edge.to().equals(tap.element())) {
        edges.add(new Edge(edge.from(), edge.output(), after.get().to(), after.get().input()));
      } else if (!edge.from().equals(tap.element())) {
        edges.add(edge);
      }
    }
    return new Graph(elements, edges, now.parts());
  }

  synchronized Optional<OneTap> find(String id) {
    return Optional.ofNullable(taps.get(id));
  }

  synchronized List<OneTap> all() {
    return List.copyOf(taps.values());
  }

  /** Removes a tap and its file. Says whether there was one. */
  synchronized boolean remove(String id) {
    OneTap tap = taps.remove(id);
    if (tap == null) {
      return false;
    }
    graph.edit(now -> healed(now, tap));
    tap.file().close();
    return true;
  }

  /** Takes full ones out of the graph. Now and then. */
  public synchronized void tidy() {
    for (OneTap tap : taps.values()) {
      if (tap.file().tap().hasEnded() && graph.graph().element(tap.element()).isPresent()) {
        graph.edit(now -> healed(now, tap));
      }
    }
  }

  /** Removes all files; the graph ends anyway. */
  @Override
  public synchronized void close() {
    taps.values().forEach(tap -> tap.file().close());
    taps.clear();
  }
}
