package io.linerate.stream;

/**
 * Makes any number of tokens of each {@code long}.
 *
 * @param <C> what takes them: {@code LongConsumer}, {@code DoubleConsumer} or {@code Consumer<R>}
 */
@FunctionalInterface
public interface LongFlatMapper<C> {
  /** Hands on what it makes of a token, now or at a later token. */
  void flatMap(long token, C out);
}
