package io.linerate.stream;

import io.linerate.graph.Node;
import io.linerate.graph.TokenType;
import java.util.List;
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
    Node node =
        tokens.throughActor(
            name,
            new WindowActor<>(
                tokens.tokenType(), key, window, aggregate, tokens.builder().supervision()));
    return new Windowed<>(tokens, node);
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
