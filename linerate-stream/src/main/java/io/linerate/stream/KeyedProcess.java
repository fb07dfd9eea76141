package io.linerate.stream;

/**
 * What is done with tokens of each key, for which something is kept. Made for each worker; one
 * thread's own.
 *
 * @param <K> class of the keys
 * @param <S> what is kept of a key
 * @param <T> class of the tokens
 * @param <C> what takes tokens that are made: {@code LongConsumer}, {@code DoubleConsumer} or
 *     {@code Consumer<R>}
 */
public interface KeyedProcess<K, S, T, C> {
  /** What is kept of a key when its first token comes. */
  S create(K key);

  /** Does something with a token: changes what is kept of its key, and hands on what it makes. */
  void process(S state, T token, C out);

  /**
   * Whether nothing is to be kept of a key any more: asked after each of its tokens. Another token
   * of the key begins anew.
   */
  default boolean isOver(S state) {
    return false;
  }

  /**
   * No token of a key has come for as long as the settings say, or for the longest of all when
   * there were too many: what was kept of it is gone.
   */
  default void timedOut(K key, S state, C out) {}
}
