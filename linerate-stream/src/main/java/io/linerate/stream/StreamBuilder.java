package io.linerate.stream;

import io.linerate.graph.Element;
import io.linerate.graph.Graph;
import io.linerate.graph.GraphBuilder;
import io.linerate.graph.Node;
import io.linerate.graph.TokenType;
import io.linerate.graph.element.FromPort;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.DoubleConsumer;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/**
 * Puts a graph of actors together, and of elements that work on packets: see {@link Streams#graph}.
 * Every actor has a name, unique in the graph, by which errors, counters and the page call it. It
 * accepts everything; {@link Graph#problems} comes later.
 */
public final class StreamBuilder {
  private final GraphBuilder graph;
  private Supervision supervision = Supervision.SKIP;

  StreamBuilder(GraphBuilder graph) {
    this.graph = graph;
  }

  /** Elements, edges and places of the same graph. */
  public GraphBuilder graph() {
    return graph;
  }

  /** What becomes of actors that throw, of those that are added from now on. */
  public StreamBuilder supervise(Supervision next) {
    supervision = next;
    return this;
  }

  Supervision supervision() {
    return supervision;
  }

  Node add(String name, Element element) {
    return graph.add(name, element);
  }

  void lead(List<Node> from, Node to) {
    from.forEach(node -> graph.chain(node, to));
  }

  /**
   * Packets of a port of the engine, on each worker those of its receive queues.
   *
   * @param name of the element
   */
  public PacketFlow packets(String name, String port) {
    return packets(add(name, new FromPort(port)));
  }

  /** Packets that leave an element. */
  public PacketFlow packets(Node node) {
    return new PacketFlow(this, List.of(node));
  }

  /** Tokens that leave an element, or a graph, of one's own making: {@code long}. */
  public LongTokens longs(Node node) {
    return new LongTokens(this, List.of(node));
  }

  /** As {@link #longs(Node)}: {@code double}. */
  public DoubleTokens doubles(Node node) {
    return new DoubleTokens(this, List.of(node));
  }

  /** As {@link #longs(Node)}: objects. */
  public <T> Tokens<T> objects(Node node, Class<T> type) {
    return new Tokens<>(this, type, List.of(node));
  }

  /** Numbers that come by an input of this graph, which is to be put into others. */
  public LongTokens longsIn(String input) {
    return new LongTokens(this, List.of(graph.input(input)));
  }

  /** As {@link #longsIn}. */
  public DoubleTokens doublesIn(String input) {
    return new DoubleTokens(this, List.of(graph.input(input)));
  }

  /** As {@link #longsIn}, of objects. */
  public <T> Tokens<T> objectsIn(String input, Class<T> type) {
    return new Tokens<>(this, type, List.of(graph.input(input)));
  }

  /**
   * Numbers of a source.
   *
   * @param workers on each of which one is made; none: on worker 0
   */
  public LongTokens longs(
      String name, Supplier<? extends Source<LongConsumer>> source, int... workers) {
    return new LongTokens(this, source(name, TokenType.LONGS, source, workers));
  }

  /** As {@link #longs}. */
  public DoubleTokens doubles(
      String name, Supplier<? extends Source<DoubleConsumer>> source, int... workers) {
    return new DoubleTokens(this, source(name, TokenType.DOUBLES, source, workers));
  }

  /** As {@link #longs}, of objects. */
  public <T> Tokens<T> objects(
      String name,
      Class<T> type,
      Supplier<? extends Source<? super Consumer<T>>> source,
      int... workers) {
    return new Tokens<>(this, type, source(name, TokenType.of(type), source, workers));
  }

  private List<Node> source(
      String name, TokenType type, Supplier<? extends Source<?>> source, int... workers) {
    Node node = add(name, new SourceActor(type, source));
    for (int worker : workers.length == 0 ? new int[] {0} : workers) {
      graph.on(worker, node);
    }
    return List.of(node);
  }
}
