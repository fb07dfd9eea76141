package io.linerate.stream;

import io.linerate.graph.Graph;
import java.util.function.Consumer;

/**
 * Graphs of actors, which make tokens of tokens, and of packets.
 *
 * <pre>{@code
 * Graph graph = Streams.graph(s ->
 *     s.packets("in", "eth0")
 *         .mapToLong("length", Packet::length)
 *         .filter("long", length -> length > 1_000)
 *         .sink("print", System.out::println));
 * GraphRunner.install(graph, engine);
 * }</pre>
 *
 * A graph of actors is one of elements: it runs, is drawn, counted, read and changed as any other,
 * and packet elements stand in it beside actors.
 */
public final class Streams {
  private Streams() {}

  /** Builds a graph. Nothing is refused here: see {@link Graph#problems}. */
  public static Graph graph(Consumer<StreamBuilder> description) {
    return Graph.of(g -> description.accept(new StreamBuilder(g)));
  }
}
