package io.linerate.stream;

import java.util.function.ToLongFunction;

/**
 * What is computed of the tokens of a window, one after the other.
 *
 * @param <T> class of the tokens
 * @param <A> what is known of those that were seen
 * @param <R> what comes of it
 */
public interface Aggregate<T, A, R> {
  /** What is known of no token. */
  A create();

  /**
   * Adds a token.
   *
   * @return the same object, best, with more in it
   */
  A add(A known, T token);

  /** What is known of both together: parts of a window that were seen apart. */
  A merge(A one, A other);

  /** What comes of it. */
  R result(A known);

  /** How many there are. */
  static <T> Aggregate<T, LongValue, Long> count() {
    return sum(_ -> 1);
  }

  /** The sum of a number of each. */
  static <T> Aggregate<T, LongValue, Long> sum(ToLongFunction<? super T> number) {
    return new LongAggregate<>(number, 0, Long::sum);
  }

  /** The least number of all. */
  static <T> Aggregate<T, LongValue, Long> min(ToLongFunction<? super T> number) {
    return new LongAggregate<>(number, Long.MAX_VALUE, Math::min);
  }

  /** The greatest number of all. */
  static <T> Aggregate<T, LongValue, Long> max(ToLongFunction<? super T> number) {
    return new LongAggregate<>(number, Long.MIN_VALUE, Math::max);
  }
}
