package io.linerate.stream;

import io.linerate.graph.Element;
import io.linerate.graph.Node;
import io.linerate.graph.Overflow;
import io.linerate.graph.TokenStep;
import io.linerate.graph.TokenType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.DoubleConsumer;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * Tokens that are objects at a place of a graph.
 *
 * <p>An object is handed on as it is: who changes it changes it for all that get it.
 *
 * @param <T> their class
 */
public final class Tokens<T> {
  private final StreamBuilder builder;
  private final Class<T> type;
  private final List<Node> from;

  Tokens(StreamBuilder builder, Class<T> type, List<Node> from) {
    this.builder = builder;
    this.type = type;
    this.from = from;
  }

  /** A {@code long} of each. */
  public LongTokens mapToLong(String name, ToLongFunction<? super T> function) {
    return new LongTokens(builder, step(name, TokenType.LONGS, TokenStep.objectsToLongs(function)));
  }

  /** A {@code double} of each. */
  public DoubleTokens mapToDouble(String name, ToDoubleFunction<? super T> function) {
    return new DoubleTokens(
        builder, step(name, TokenType.DOUBLES, TokenStep.objectsToDoubles(function)));
  }

  /** An object of each: where there may be none, {@link #filter} before it, or {@link #flatMap}. */
  public <R> Tokens<R> map(
      String name, Class<R> result, Function<? super T, ? extends R> function) {
    return new Tokens<>(
        builder, result, step(name, TokenType.of(result), TokenStep.objectsToObjects(function)));
  }

  /** Those of which it is true. */
  public Tokens<T> filter(String name, Predicate<? super T> predicate) {
    return new Tokens<>(builder, type, step(name, type(), TokenStep.filterObjects(predicate)));
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
  public LongTokens flatMapToLong(
      String name, Supplier<? extends FlatMapper<? super T, LongConsumer>> mapper) {
    return new LongTokens(builder, flat(name, TokenType.LONGS, mapper));
  }

  /** Numbers, as many of each as it hands on. It is made on each worker, and may keep something. */
  public DoubleTokens flatMapToDouble(
      String name, Supplier<? extends FlatMapper<? super T, DoubleConsumer>> mapper) {
    return new DoubleTokens(builder, flat(name, TokenType.DOUBLES, mapper));
  }

  /** Objects, as many of each as it hands on. It is made on each worker, and may keep something. */
  public <R> Tokens<R> flatMap(
      String name, Class<R> result, Supplier<? extends FlatMapper<? super T, Consumer<R>>> mapper) {
    return new Tokens<>(builder, result, flat(name, TokenType.of(result), mapper));
  }

  private List<Node> flat(String name, TokenType result, Supplier<?> mapper) {
    return through(name, new FlatMapActor(type(), result, mapper, builder.supervision()));
  }

  /**
   * Lists of so many of these; shorter ones when the first has waited for as long as it may, and at
   * the end.
   *
   * @param tokens 1 to 1,048,576
   */
  @SuppressWarnings("unchecked") // There is no class of such a list.
  public Tokens<List<T>> batch(String name, int tokens, Duration maxDelay) {
    Class<?> list = List.class;
    TokenType result = TokenType.of(list);
    return new Tokens<>(
        builder,
        (Class<List<T>>) list,
        through(name, new BatchActor(type(), result, tokens, maxDelay)));
  }

  /**
   * One of the first of these and the first of the others, and so on. What waits for its partner is
   * kept; when there is no room, the new one is dropped as {@code queue_full}.
   *
   * @param capacity tokens of these, and of the others, that wait at most
   */
  public <U, R> Tokens<R> join(
      String name,
      Tokens<U> other,
      Class<R> result,
      int capacity,
      BiFunction<? super T, ? super U, ? extends R> function) {
    Node node =
        throughActor(
            name,
            new JoinActor<T, U, R>(
                type(),
                other.type(),
                TokenType.of(result),
                capacity,
                function,
                builder.supervision()));
    other.to(node.in(JoinActor.OTHER));
    return new Tokens<>(builder, result, List.of(node));
  }

  /** Those of which it is true, and the others. */
  public Split<Tokens<T>> split(String name, Predicate<? super T> predicate) {
    Node node = through(name, new SplitActor(type(), predicate, builder.supervision())).getFirst();
    return new Split<>(at(node.out(SplitActor.MATCHING)), at(node.out(SplitActor.REST)));
  }

  /** These told apart by a number of each, without an object for it. */
  public Keyed<Long, T> keyBy(ToLongFunction<? super T> key) {
    return new Keyed<>(this, new KeyMaker.ByLong<>(key));
  }

  /**
   * These told apart by an object of each.
   *
   * @param type of the keys, which have {@code equals} and {@code hashCode}
   */
  public <K> Keyed<K, T> keyBy(Class<K> type, Function<? super T, ? extends K> key) {
    return keyBy(type, key, UnaryOperator.identity());
  }

  /**
   * As the other, where the key may be the same object each time, with other values: none is made
   * for a token whose key is known.
   *
   * @param kept makes of a key that is new what is kept of it, and does not change
   */
  public <K> Keyed<K, T> keyBy(
      Class<K> type, Function<? super T, ? extends K> key, UnaryOperator<K> kept) {
    return new Keyed<>(
        this,
        new KeyMaker.ByObject<T>(
            key.andThen(type::cast), one -> type.cast(kept.apply(type.cast(one)))));
  }

  StreamBuilder builder() {
    return builder;
  }

  TokenType tokenType() {
    return type();
  }

  Node throughActor(String name, Element actor) {
    return through(name, actor).getFirst();
  }

  /** The same ones several times, for several ways. */
  public List<Tokens<T>> copies(String name, int copies) {
    Node node = through(name, new CopyActor(type(), copies)).getFirst();
    return IntStream.range(0, copies).mapToObj(i -> at(node.out(CopyActor.output(i)))).toList();
  }

  Tokens<T> at(Node node) {
    return new Tokens<>(builder, type, List.of(node));
  }

  /**
   * The same ones behind a queue, which holds back what is before it while it is nearly full: what
   * is behind may be on another worker, and a cycle may lead through it.
   *
   * @param capacity tokens, for each worker that feeds it: 1 to 16,777,216
   */
  public Tokens<T> queue(String name, int capacity) {
    return queue(name, capacity, Overflow.HOLD_BACK);
  }

  /** As the other, with what is done when it is full. */
  public Tokens<T> queue(String name, int capacity, Overflow overflow) {
    return at(through(name, new QueueActor(type(), capacity, overflow)).getFirst());
  }

  /**
   * The same ones on another worker: what is behind runs there.
   *
   * @param capacity of the queue between: see {@link #queue(String, int)}
   */
  public Tokens<T> on(String name, int worker, int capacity) {
    Tokens<T> queued = queue(name, capacity);
    builder.graph().on(worker, queued.from.getFirst());
    return queued;
  }

  /**
   * The same ones on one worker, whichever: the engine places what is behind, up to the next queue,
   * and may move it while it runs. What is behind that is left to the engine, too, or ends.
   *
   * @param capacity of the queue between: see {@link #queue(String, int)}
   */
  public Tokens<T> anywhere(String name, int capacity) {
    return anywhere(name, capacity, 1);
  }

  /**
   * As the other.
   *
   * @param cost what is behind takes, beside others that say so, until it is measured: more than 0
   */
  public Tokens<T> anywhere(String name, int capacity, double cost) {
    Tokens<T> queued = queue(name, capacity);
    builder.graph().anywhere(cost, queued.from.getFirst());
    return queued;
  }

  /** These and others, each as it comes. */
  public Tokens<T> merge(Tokens<T> other) {
    List<Node> both = new ArrayList<>(from);
    both.addAll(other.from);
    return new Tokens<>(builder, type, both);
  }

  /** The end of these: called on each worker that they come to. */
  public void sink(String name, Consumer<? super T> consumer) {
    sinkBy(name, () -> consumer);
  }

  /** As {@link #sink}, with a consumer of each worker's own; it is closed if it can be. */
  public void sinkBy(String name, Supplier<? extends Consumer<? super T>> maker) {
    through(name, new SinkActor(type(), maker, builder.supervision()));
  }

  /**
   * The end of these: subscribers get them, on threads that are not a worker's.
   *
   * @param publisher that may have been subscribed to already
   */
  public void publish(String name, TokenPublisher<? super T> publisher) {
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
    return TokenType.of(type);
  }
}
