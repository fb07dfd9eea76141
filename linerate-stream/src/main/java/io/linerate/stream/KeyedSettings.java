package io.linerate.stream;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Limits of what is kept of keys, and where it is saved.
 *
 * @param timeout how long a key may be silent before it is forgotten: by when tokens come
 * @param mostKeys on each worker
 * @param whenTooMany what is done when a token of one more comes
 * @param file where it is saved when the program ends, and read from when it starts
 * @param <K> class of the keys
 * @param <S> what is kept of a key
 */
public record KeyedSettings<K, S>(
    Duration timeout, int mostKeys, TooManyKeys whenTooMany, Optional<StateFile<K, S>> file) {
  private static final int MOST_KEYS = 1 << 20;

  /** What is done with a token of a key for which there is no room. */
  public enum TooManyKeys {
    /** It is dropped as {@code too_many_keys}. */
    DROP,

    /** The key is forgotten that was silent for the longest. */
    FORGET_OLDEST
  }

  /**
   * A file of states.
   *
   * @param codec how keys and states are written
   */
  public record StateFile<K, S>(Path path, StateCodec<K, S> codec) {}

  /** At most 1,048,576 keys on each worker, which are not saved. */
  public static <K, S> KeyedSettings<K, S> timingOutAfter(Duration timeout) {
    return new KeyedSettings<>(timeout, MOST_KEYS, TooManyKeys.DROP, Optional.empty());
  }

  /** The same with another limit. */
  public KeyedSettings<K, S> withMostKeys(int most) {
    return new KeyedSettings<>(timeout, most, whenTooMany, file);
  }

  /**
   * The same that forgets keys when there are more, those first that were silent for the longest.
   */
  public KeyedSettings<K, S> forgettingOldest() {
    return new KeyedSettings<>(timeout, mostKeys, TooManyKeys.FORGET_OLDEST, file);
  }

  /**
   * The same, saved when the program ends or the actor's value {@code save} is written, and read
   * when it starts: of all workers in one file, which has its name once it is whole. A key is its
   * worker's that gets its first token, whichever had it before.
   */
  public KeyedSettings<K, S> savedIn(Path path, StateCodec<K, S> codec) {
    return new KeyedSettings<>(
        timeout, mostKeys, whenTooMany, Optional.of(new StateFile<>(path, codec)));
  }

  List<String> problems() {
    List<String> problems = new ArrayList<>();
    if (timeout.isNegative() || timeout.isZero()) {
      problems.add("bad time-out: timeout=" + timeout + "; write more than 0");
    }
    if (mostKeys < 1) {
      problems.add("bad limit: mostKeys=" + mostKeys + "; write 1 or more");
    }
    return problems;
  }
}
