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
 * <p>A graph that has inputs and outputs can be put into others, under a name, like an element:
 *
 * <pre>{@code
 * Graph measured = Graph.of(g -> {
 *   var sound = g.add("sound", new CheckIpv4());
 *   g.chain(g.input("in"), sound, g.add("count", new Counter()), g.output("out"));
 *   g.chain(sound.out("bad"), g.output("bad"));
 * });
 * Graph graph = Graph.of(g -> {
 *   var left = g.add("left", measured);
 *   g.chain(g.add("in", new FromPort("eth0")), left, g.add("out", new ToPort("eth1")));
 * });
 * runner.read("left/count.packets");
 * }</pre>
 *
 * @param elements in the order in which they were added, those of other graphs as {@code
 *     name/element}
 * @param edges between elements, and with the outside for a graph that is to be put into others
 * @param parts the graphs that were put into this one, and those that are in them
 */
public record Graph(List<PlacedElement> elements, List<Edge> edges, List<GraphPart> parts) {
  public Graph {
    elements = List.copyOf(elements);
    edges = List.copyOf(edges);
    parts = List.copyOf(parts);
  }

  /** A graph that no others were put into. */
  public Graph(List<PlacedElement> elements, List<Edge> edges) {
    this(elements, edges, List.of());
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

  /** Names of its inputs, in the order in which edges lead from them. */
  public List<String> inputs() {
    return edges.stream().filter(Edge::isFromOutside).map(Edge::output).distinct().toList();
  }

  /** Names of its outputs, in the order in which edges lead to them. */
  public List<String> outputs() {
    return edges.stream().filter(Edge::isToOutside).map(Edge::input).distinct().toList();
  }

  /** The element of that name. */
  public Optional<PlacedElement> element(String name) {
    return elements.stream().filter(placed -> placed.name().equals(name)).findFirst();
  }
}
