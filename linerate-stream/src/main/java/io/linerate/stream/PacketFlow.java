package io.linerate.stream;

import io.linerate.core.memory.Packet;
import io.linerate.graph.Element;
import io.linerate.graph.Node;
import io.linerate.graph.TokenType;
import io.linerate.graph.element.NumberedOutputs;
import io.linerate.graph.element.Queue;
import io.linerate.graph.element.ToPort;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/**
 * Packets at a place of a graph. What is made of a packet says nothing of it when the function has
 * returned: a packet that is to be kept is held ({@code Wiring.hold}), and what is to be known of
 * it is copied.
 *
 * <p>A packet of which a token was made goes on by the output {@code packets} of the actor, for who
 * asks with {@code also…}, and is dropped as {@code consumed} otherwise.
 */
public final class PacketFlow {
  private final StreamBuilder builder;
  private final List<Node> from;

  PacketFlow(StreamBuilder builder, List<Node> from) {
    this.builder = builder;
    this.from = from;
  }

  /** These and others. */
  public PacketFlow merge(PacketFlow other) {
    List<Node> both = new ArrayList<>(from);
    both.addAll(other.from);
    return new PacketFlow(builder, both);
  }

  /** What leaves an element, by its first output, that gets these by its first input. */
  public PacketFlow through(String name, Element element) {
    return through(builder.add(name, element));
  }

  /** What leaves an element, by that output, that gets these. */
  public PacketFlow through(Node node) {
    builder.lead(from, node);
    return new PacketFlow(builder, List.of(node));
  }

  /**
   * The same packets, spread over workers: where a port has fewer queues than there are workers, or
   * does not keep both directions of a flow together, as {@code HashSwitch} does.
   *
   * @param name of the element that spreads them; those behind it are {@code name-queue0} and so on
   * @param spreading has an output for each worker, from 0 on
   * @param capacity packets on their way to each, from each
   */
  public PacketFlow spread(String name, NumberedOutputs spreading, int capacity) {
    Node spread = builder.add(name, spreading);
    builder.lead(from, spread);
    List<Node> queues = new ArrayList<>();
    for (int worker = 0; worker < spreading.outputs(); worker++) {
      Node queue = builder.add(name + "-queue" + worker, new Queue(capacity).to(worker));
      builder.lead(List.of(spread.out("out" + (worker + 1))), queue);
      queues.add(queue);
    }
    return new PacketFlow(builder, queues);
  }

  /** The end of a path: an element without outputs gets these. */
  public void to(Node node) {
    builder.lead(from, node);
  }

  /** The end of a path: a port of the engine gets these. */
  public void to(String name, String port) {
    to(builder.add(name, new ToPort(port)));
  }

  private Node actor(String name, TokenType type, Supplier<?> function) {
    Node node = builder.add(name, new PacketActor(type, function, builder.supervision()));
    builder.lead(from, node);
    return node;
  }

  private static Node tokens(Node actor) {
    return actor.out("out");
  }

  private PacketFlow after(Node actor) {
    return new PacketFlow(builder, List.of(actor.out(PacketActor.PACKETS)));
  }

  /** A number of each packet, which ends here. */
  public LongTokens mapToLong(String name, ToLongFunction<? super Packet> function) {
    return new LongTokens(builder, List.of(tokens(actor(name, TokenType.LONGS, () -> function))));
  }

  /** A number of each packet, which ends here. */
  public DoubleTokens mapToDouble(String name, ToDoubleFunction<? super Packet> function) {
    return new DoubleTokens(
        builder, List.of(tokens(actor(name, TokenType.DOUBLES, () -> function))));
  }

  /** An object of each packet, which ends here; none of those for which it is null. */
  public <T> Tokens<T> map(
      String name, Class<T> type, Function<? super Packet, ? extends T> function) {
    return mapBy(name, type, () -> function);
  }

  /** As {@link #map}, with a function of each worker's own, which may keep something. */
  public <T> Tokens<T> mapBy(
      String name, Class<T> type, Supplier<? extends Function<? super Packet, ? extends T>> maker) {
    return new Tokens<>(builder, type, List.of(tokens(actor(name, TokenType.of(type), maker))));
  }

  /** The same packets, of each of which a number is made on the way. */
  public PacketFlow alsoToLong(
      String name, ToLongFunction<? super Packet> function, Consumer<LongTokens> tokens) {
    Node actor = actor(name, TokenType.LONGS, () -> function);
    tokens.accept(new LongTokens(builder, List.of(tokens(actor))));
    return after(actor);
  }

  /** The same packets, of each of which an object is made on the way, if it is not null. */
  public <T> PacketFlow also(
      String name,
      Class<T> type,
      Function<? super Packet, ? extends T> function,
      Consumer<Tokens<T>> tokens) {
    Node actor = actor(name, TokenType.of(type), () -> function);
    tokens.accept(new Tokens<>(builder, type, List.of(tokens(actor))));
    return after(actor);
  }
}
