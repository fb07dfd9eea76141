package io.linerate.graph;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Elements and the edges between them: a value, which does nothing by itself.
 *
 * <pre>{@code
 * Graph graph = Graph.of(g -> {
 *   var in = g.add("in", new FromPort("eth0"));
 *   var kind = g.add("kind", Classifier.of("arp 12/0806", "ip 12/0800", "rest -"));
 *   var out = g.add("out", new ToPort("eth1"));
 *   var rest = g.add("other", new Discard());
 *   g.chain(in, kind.out("ip"), g.add("count", new Counter()), out);
 *   g.chain(kind.out("arp"), out);
 *   g.chain(kind.out("rest"), rest);
 * });
 * GraphRunner runner = GraphRunner.install(graph, engine);
 * }</pre>
 *
 * @param elements in the order in which they were added
 */
public record Graph(List<PlacedElement> elements, List<Edge> edges) {
  public Graph {
    elements = List.copyOf(elements);
    edges = List.copyOf(edges);
  }

  /** Builds a graph. Nothing is refused here: see {@link #problems}. */
  public static Graph of(Consumer<GraphBuilder> description) {
    GraphBuilder builder = new GraphBuilder();
    description.accept(builder);
    return builder.build();
  }

  /**
   * Everything that is wrong with the graph whatever engine it runs on; {@link GraphRunner#install}
   * adds what is wrong with it on that engine.
   */
  public List<GraphProblem> problems() {
    return new GraphCheck(this).problems();
  }

  /** The element of that name. */
  public Optional<PlacedElement> element(String name) {
    return elements.stream().filter(placed -> placed.name().equals(name)).findFirst();
  }
}
