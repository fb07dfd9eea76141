package io.linerate.stream;

import io.linerate.graph.Node;
import io.linerate.graph.TokenType;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Tokens that are told apart by keys, on each worker for itself.
 *
 * @param <K> class of the keys
 * @param <T> class of the tokens
 */
public final class Keyed<K, T> {
  private final Tokens<T> tokens;
  private final KeyMaker<T> key;

  Keyed(Tokens<T> tokens, KeyMaker<T> key) {
    this.tokens = tokens;
    this.key = key;
  }

  /** What an aggregate makes of the tokens of each key in each window, when that has ended. */
  public <R> Windowed<K, T, R> window(String name, Window<T> window, Aggregate<T, ?, R> aggregate) {
    return new Windowed<>(tokens, windows(name, window, aggregate, false));
  }

  private <R> Node windows(
      String name, Window<T> window, Aggregate<T, ?, R> aggregate, boolean isPartial) {
    return tokens.throughActor(
        name,
        new WindowActor<>(
            tokens.tokenType(), key, window, aggregate, isPartial, tokens.builder().supervision()));
  }

  /**
   * As {@link #window}, of all workers together: what each knows comes to one of them, which hands
   * on a result when no worker is before the end of its window. Whether one to which nothing comes
   * keeps the others waiting is the window's {@link Silence}; what is brought later to a window
   * that has ended is dropped, as {@code late}.
   *
   * @param window of time, or sessions, which end up to a gap later than on one worker
   * @param allName of the actor that joins what they know
   * @param worker it is on
   * @param capacity keys of windows on their way from each worker: 1 to 16,777,216
   */
  public <R> Tokens<WindowResult<K, R>> windowOfAll(
      String name,
      Window<T> window,
      Aggregate<T, ?, R> aggregate,
      String allName,
      int worker,
      int capacity) {
    var all = combine(window, aggregate, false, capacity);
    return ofAll(name, window, aggregate, allName, worker, all, WindowResult.class);
  }

  /**
   * As {@link #windowOfAll}, with all results of a window in one list, in no order: for what is to
   * be said of all keys together, such as those with the greatest values. There is none of a window
   * without tokens.
   *
   * @param window of time; of sessions each key has its own
   */
  public <R> Tokens<List<WindowResult<K, R>>> wholeWindowOfAll(
      String name,
      Window<T> window,
      Aggregate<T, ?, R> aggregate,
      String allName,
      int worker,
      int capacity) {
    var all = combine(window, aggregate, true, capacity);
    return ofAll(name, window, aggregate, allName, worker, all, List.class);
  }

  private CombineActor<?> combine(
      Window<T> window, Aggregate<T, ?, ?> aggregate, boolean isWhole, int capacity) {
    return new CombineActor<>(window, aggregate, isWhole, capacity, tokens.builder().supervision());
  }

  private <U> Tokens<U> ofAll(
      String name,
      Window<T> window,
      Aggregate<T, ?, ?> aggregate,
      String allName,
      int worker,
      CombineActor<?> combine,
      Class<?> type) {
    Node parts = windows(name, window, aggregate, true);
    StreamBuilder builder = tokens.builder();
    Node all = builder.add(allName, combine);
    builder.graph().chain(parts, all).on(worker, all);
    return new Tokens<>(builder, WindowOutput.raw(type), List.of(all));
  }

  /**
   * A token of each two, one of these and one of the others, that have the same key and are not too
   * far apart. Those of a key meet on the worker that they come to: flows are spread over workers
   * by their hash, and {@code on} brings all to one. Tokens are kept, so that each is an object of
   * its own; what was joined with none in its time is dropped as {@code without_partner}.
   *
   * <pre>{@code
   * queries.keyBy(Dns::id)
   *     .join("answered", answers.keyBy(Dns::id), JoinWindow.within(Duration.ofSeconds(5)),
   *         Answered.class, Answered::new)
   * }</pre>
   */
  public <U, R> Tokens<R> join(
      String name,
      Keyed<K, U> other,
      JoinWindow<T, U> window,
      Class<R> result,
      BiFunction<? super T, ? super U, ? extends R> function) {
    Node node =
        tokens.throughActor(
            name,
            new KeyedJoinActor<>(
                tokens.tokenType(),
                other.tokens.tokenType(),
                TokenType.of(result),
                key,
                other.key,
                window,
                function,
                tokens.builder().supervision()));
    other.tokens.to(node.in(JoinActor.OTHER));
    return new Tokens<>(tokens.builder(), result, List.of(node));
  }

  /** Objects that are made of the tokens of each key, of which something is kept. */
  public <S, R> Tokens<R> process(
      String name,
      Class<R> result,
      KeyedSettings<K, S> settings,
      Supplier<? extends KeyedProcess<K, S, T, Consumer<R>>> process) {
    Node node =
        tokens.throughActor(
            name,
            new KeyedActor<>(
                tokens.tokenType(),
                TokenType.of(result),
                key,
                process,
                settings,
                tokens.builder().supervision()));
    return new Tokens<>(tokens.builder(), result, List.of(node));
  }
}
