package io.linerate.stream;

import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;

/**
 * By what tokens are told apart.
 *
 * @param <T> class of the tokens
 */
sealed interface KeyMaker<T> {
  /** What numbers the keys on one worker. */
  Keys<T> keys(WindowKeys limits);

  /** As the other, so many. */
  default Keys<T> keys(int most) {
    return keys(WindowKeys.of(most));
  }

  /** The key of a token. */
  Object of(T token);

  /** What is kept of a key that is new. */
  Object kept(Object key);

  /** By a number. */
  record ByLong<T>(ToLongFunction<? super T> key) implements KeyMaker<T> {
    @Override
    public Keys<T> keys(WindowKeys limits) {
      int most = limits.mostOf().getOrDefault(Long.class, limits.most());
      return Keys.ofLongs(key, most, new SplittableRandom().nextLong());
    }

    @Override
    public Object of(T token) {
      return key.applyAsLong(token);
    }

    @Override
    public Object kept(Object boxed) {
      return boxed;
    }
  }

  /**
   * By an object.
   *
   * @param keeping makes what is kept of a key that is new
   */
  record ByObject<T>(Function<? super T, ?> key, UnaryOperator<Object> keeping)
      implements KeyMaker<T> {
    @Override
    public Keys<T> keys(WindowKeys limits) {
      return Keys.ofObjects(key, keeping, limits);
    }

    @Override
    public Object of(T token) {
      return key.apply(token);
    }

    @Override
    public Object kept(Object one) {
      return keeping.apply(one);
    }
  }
}
