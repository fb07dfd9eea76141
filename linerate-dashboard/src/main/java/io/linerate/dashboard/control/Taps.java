package io.linerate.dashboard.control;

import io.linerate.core.config.ConfigException;
import io.linerate.core.memory.ReceiveFilter;
import io.linerate.core.worker.Engine;
import io.linerate.driver.pcap.DropCapture;
import io.linerate.driver.pcap.DropFilter;
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
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Taps of a running program: on edges of its graph, where each is an element between the two that
 * the edge connected, and of what is dropped. One that is full ends by itself; its file stays until
 * it is removed.
 */
public final class Taps implements AutoCloseable {
  private static final int MOST = 8;

  private final Engine engine;
  private final @Nullable GraphRunner graph;
  private final Map<String, OneTap> taps = new LinkedHashMap<>();
  private int made;

  /** A tap, what it captures, and where to. */
  record OneTap(String id, TapSource source, TapFile file) {
    /** Of a tap on an edge. */
    String element() {
      return "tap-" + id;
    }

    /** Packets that it should have captured and has not. */
    long missed() {
      return source instanceof TapSource.OfDrops drops
          ? drops.capture().missed()
          : file.tap().missed();
    }

    void close() {
      if (source instanceof TapSource.OfDrops drops) {
        drops.capture().close();
      }
      file.close();
    }
  }

  /**
   * @param graph null: the program has none, and no edges
   */
  public Taps(Engine engine, @Nullable GraphRunner graph) {
    this.engine = engine;
    this.graph = graph;
  }

  /**
   * Puts a tap on an edge.
   *
   * @return its id
   */
  synchronized String add(Edge edge, Optional<ReceiveFilter> filter, long packets, int snapBytes) {
    GraphRunner edited = requireGraph(graph, "edge=" + edge);
    return add(
        () -> new TapFile(packets, snapBytes, filter),
        file -> {
          TapSource.OfEdge source = new TapSource.OfEdge(edge, filter);
          edited.edit(now -> spliced(now, edge, new OneTap(String.valueOf(made), source, file)));
          return source;
        });
  }

  /**
   * Captures what is dropped.
   *
   * @return the tap's id
   */
  synchronized String add(DropFilter filter, long packets, int snapBytes) {
    filter.element().ifPresent(name -> requireElement(graph, name));
    return add(
        () -> new TapFile(packets, snapBytes, Optional.empty()),
        file -> new TapSource.OfDrops(filter, DropCapture.start(engine, filter, file.tap())));
  }

  private String add(Supplier<TapFile> files, Function<TapFile, TapSource> start) {
    if (taps.size() >= MOST) {
      throw new ConfigException("too many taps: most=" + MOST + "; remove one");
    }
    made++;
    TapFile file = files.get();
    try {
      OneTap tap = new OneTap(String.valueOf(made), start.apply(file), file);
      taps.put(tap.id(), tap);
      return tap.id();
    } catch (Throwable e) {
      file.close();
      throw e;
    }
  }

  private static GraphRunner requireGraph(@Nullable GraphRunner graph, String wanted) {
    if (graph == null) {
      throw new ConfigException(
          "program has no graph: %s; only what it drops can be captured".formatted(wanted));
    }
    return graph;
  }

  /**
   * Returns if a program has an element.
   *
   * @param graph null: it has none
   * @throws ConfigException if not
   */
  public static void requireElement(@Nullable GraphRunner graph, String name) {
    requireGraph(graph, "element=" + name).counts(name);
  }

  private static Graph spliced(Graph now, Edge edge, OneTap tap) {
    if (!now.edges().contains(edge)) {
      throw new ConfigException("no such edge: edge=" + edge + "; see the edges in /api/state");
    }
    List<PlacedElement> elements = new ArrayList<>(now.elements());
    elements.add(new PlacedElement(tap.element(), new FileTap(tap.file().tap()), Set.of()));
    List<Edge> edges = new ArrayList<>(now.edges());
    edges.remove(edge);
    edges.add(new Edge(edge.from(), edge.output(), tap.element(), "in"));
    edges.add(new Edge(tap.element(), "out", edge.to(), edge.input()));
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
    if (graph != null) {
      graph.edit(now -> healed(now, tap));
    }
    tap.close();
    return true;
  }

  /** Takes full ones out of the graph. Now and then. */
  public synchronized void tidy() {
    if (graph == null) {
      return;
    }
    for (OneTap tap : taps.values()) {
      if (tap.file().tap().hasEnded() && graph.graph().element(tap.element()).isPresent()) {
        graph.edit(now -> healed(now, tap));
      }
    }
  }

  /** Removes all files; the graph ends anyway. */
  @Override
  public synchronized void close() {
    taps.values().forEach(OneTap::close);
    taps.clear();
  }
}
