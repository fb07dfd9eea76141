package io.linerate.stream;

/**
 * Where tokens come from that are not made of packets: asked again and again by the worker that it
 * is on, which waits while a queue behind it is full. One thread's own.
 *
 * @param <C> what takes the tokens: {@code LongConsumer}, {@code DoubleConsumer} or {@code
 *     Consumer<T>}
 */
@FunctionalInterface
public interface Source<C> {
  /** Of {@link #poll}: there will never be any more. */
  int END = -1;

  /**
   * Hands on the tokens that there are.
   *
   * @param max the most that may be handed on
   * @return their number; 0 if there are none yet; {@link #END}
   * @throws Exception ends the source; the program has failed then
   */
  int poll(C to, int max) throws Exception;

  /**
   * Asked after a {@link #poll} that returned 0, by a worker that is about to sleep: for how many
   * ns there is nothing to do, unless {@code wake} is called. 1 ms where it is not overridden.
   *
   * @param wake ends the sleep, for any thread
   */
  default long restNs(Runnable wake) {
    return 1_000_000;
  }

  /**
   * Nobody asks any more: it has ended or thrown, its element has left the graph, or its worker has
   * ended. Called once.
   */
  default void close() {}
}
