package io.linerate.stream;

import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * By what tokens are told apart.
 *
 * @param <T> class of the tokens
 */
sealed interface KeyMaker<T> {
  /** What numbers the keys on one worker. */
  Keys<T> keys(int most);

  /** The key of a token. */
  Object of(T token);

  /** By a number. */
  record ByLong<T>(ToLongFunction<? super T> key) implements KeyMaker<T> {
    @Override
    public Keys<T> keys(int most) {
      return Keys.ofLongs(key, most, new SplittableRandom().nextLong());
    }

    @Override
    public Object of(T token) {
      return key.applyAsLong(token);
    }
  }

  /** By an object. */
  record ByObject<T>(Function<? super T, ?> key) implements KeyMaker<T> {
    @Override
    public Keys<T> keys(int most) {
      return Keys.ofObjects(key, most);
    }

    @Override
    public Object of(T token) {
      return key.apply(token);
    }
  }
}
