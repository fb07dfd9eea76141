package io.linerate.stream;

import io.linerate.graph.Element;
import io.linerate.graph.Node;
import io.linerate.graph.Overflow;
import io.linerate.graph.TokenStep;
import io.linerate.graph.TokenType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.DoubleConsumer;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;
import java.util.function.LongPredicate;
import java.util.function.LongToDoubleFunction;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** Tokens that are {@code long} at a place of a graph. */
public final class LongTokens {
  private final StreamBuilder builder;
  private final List<Node> from;

  LongTokens(StreamBuilder builder, List<Node> from) {
    this.builder = builder;
    this.from = from;
  }

  /** A {@code long} of each. */
  public LongTokens map(String name, LongUnaryOperator function) {
    return new LongTokens(builder, step(name, TokenType.LONGS, TokenStep.longsToLongs(function)));
  }

  /** A {@code double} of each. */
  public DoubleTokens mapToDouble(String name, LongToDoubleFunction function) {
    return new DoubleTokens(
        builder, step(name, TokenType.DOUBLES, TokenStep.longsToDoubles(function)));
  }

  /** An object of each. */
  public <R> Tokens<R> mapToObject(
      String name, Class<R> result, LongFunction<? extends R> function) {
    return new Tokens<>(
        builder, result, step(name, TokenType.of(result), TokenStep.longsToObjects(function)));
  }

  /** Those of which it is true. */
  public LongTokens filter(String name, LongPredicate predicate) {
    return new LongTokens(builder, step(name, type(), TokenStep.filterLongs(predicate)));
  }

  private List<Node> step(String name, TokenType result, TokenStep step) {
    return through(name, new StepActor(type(), result, step, builder.supervision()));
  }

  private List<Node> through(String name, Element actor) {
    Node node = builder.add(name, actor);
    builder.lead(from, node);
    return List.of(node);
  }

  /** Numbers, as many of each as it hands on. It is made on each worker, and may keep something. */
  public LongTokens flatMap(String name, Supplier<? extends LongFlatMapper<LongConsumer>> mapper) {
    return new LongTokens(builder, flat(name, TokenType.LONGS, mapper));
  }

  /** Numbers, as many of each as it hands on. It is made on each worker, and may keep something. */
  public DoubleTokens flatMapToDouble(
      String name, Supplier<? extends LongFlatMapper<DoubleConsumer>> mapper) {
    return new DoubleTokens(builder, flat(name, TokenType.DOUBLES, mapper));
  }

  /** Objects, as many of each as it hands on. It is made on each worker, and may keep something. */
  public <R> Tokens<R> flatMapToObject(
      String name, Class<R> result, Supplier<? extends LongFlatMapper<Consumer<R>>> mapper) {
    return new Tokens<>(builder, result, flat(name, TokenType.of(result), mapper));
  }

  private List<Node> flat(String name, TokenType result, Supplier<?> mapper) {
    return through(name, new FlatMapActor(type(), result, mapper, builder.supervision()));
  }

  /**
   * Arrays of so many of these; shorter ones when the first has waited for as long as it may, and
   * at the end.
   *
   * @param tokens 1 to 1,048,576
   */
  public Tokens<long[]> batch(String name, int tokens, Duration maxDelay) {
    TokenType result = TokenType.of(long[].class);
    return new Tokens<>(
        builder, long[].class, through(name, new BatchActor(type(), result, tokens, maxDelay)));
  }

  /** Those of which it is true, and the others. */
  public Split<LongTokens> split(String name, LongPredicate predicate) {
    Node node = through(name, new SplitActor(type(), predicate, builder.supervision())).getFirst();
    return new Split<>(at(node.out(SplitActor.MATCHING)), at(node.out(SplitActor.REST)));
  }

  /** The same ones several times, for several ways. */
  public List<LongTokens> copies(String name, int copies) {
    Node node = through(name, new CopyActor(type(), copies)).getFirst();
    return IntStream.range(0, copies).mapToObj(i -> at(node.out(CopyActor.output(i)))).toList();
  }

  private LongTokens at(Node node) {
    return new LongTokens(builder, List.of(node));
  }

  /**
   * The same ones behind a queue, which holds back what is before it while it is nearly full: what
   * is behind may be on another worker, and a cycle may lead through it.
   *
   * @param capacity tokens, for each worker that feeds it: 1 to 16,777,216
   */
  public LongTokens queue(String name, int capacity) {
    return queue(name, capacity, Overflow.HOLD_BACK);
  }

  /** As the other, with what is done when it is full. */
  public LongTokens queue(String name, int capacity, Overflow overflow) {
    return at(through(name, new QueueActor(type(), capacity, overflow)).getFirst());
  }

  /**
   * The same ones on another worker: what is behind runs there.
   *
   * @param capacity of the queue between: see {@link #queue(String, int)}
   */
  public LongTokens on(String name, int worker, int capacity) {
    LongTokens queued = queue(name, capacity);
    builder.graph().on(worker, queued.from.getFirst());
    return queued;
  }

  /**
   * The same ones on one worker, whichever: the engine places what is behind, up to the next queue,
   * and may move it while it runs. What is behind that is left to the engine, too, or ends.
   *
   * @param capacity of the queue between: see {@link #queue(String, int)}
   */
  public LongTokens anywhere(String name, int capacity) {
    return anywhere(name, capacity, 1);
  }

  /**
   * As the other.
   *
   * @param cost what is behind takes, beside others that say so, until it is measured: more than 0
   */
  public LongTokens anywhere(String name, int capacity, double cost) {
    LongTokens queued = queue(name, capacity);
    builder.graph().anywhere(cost, queued.from.getFirst());
    return queued;
  }

  /** These and others, each as it comes. */
  public LongTokens merge(LongTokens other) {
    List<Node> both = new ArrayList<>(from);
    both.addAll(other.from);
    return new LongTokens(builder, both);
  }

  /** The end of these: called on each worker that they come to. */
  public void sink(String name, LongConsumer consumer) {
    sinkBy(name, () -> consumer);
  }

  /** As {@link #sink}, with a consumer of each worker's own; it is closed if it can be. */
  public void sinkBy(String name, Supplier<? extends LongConsumer> maker) {
    through(name, new SinkActor(type(), maker, builder.supervision()));
  }

  /**
   * The end of these: subscribers get an object of each, on threads that are not a worker's. It is
   * made when subscribers have room, and only if there are any.
   *
   * @param publisher that may have been subscribed to already
   */
  public void publish(String name, TokenPublisher<? super Long> publisher) {
    through(name, new PublishActor<>(type(), publisher));
  }

  /** The end of these: an element, or a graph, of one's own making gets them by that input. */
  public void to(Node node) {
    builder.lead(from, node);
  }

  /** These leave by an output of this graph, which is to be put into others. */
  public void out(String output) {
    to(builder.graph().output(output));
  }

  private TokenType type() {
    return TokenType.LONGS;
  }
}
