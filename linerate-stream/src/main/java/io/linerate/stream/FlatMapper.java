package io.linerate.stream;

/**
 * Makes any number of tokens of each object.
 *
 * @param <T> class of the objects
 * @param <C> what takes them: {@code LongConsumer}, {@code DoubleConsumer} or {@code Consumer<R>}
 */
@FunctionalInterface
public interface FlatMapper<T, C> {
  /** Hands on what it makes of a token, now or at a later token. */
  void flatMap(T token, C out);
}
