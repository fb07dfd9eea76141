package io.linerate.stream;

/**
 * What one worker knows of a window that others know of, too, and how far it is.
 *
 * @param <A> what the aggregate knows
 */
sealed interface WindowPart<A> {
  /** Of a worker that has nothing to do: nobody waits for it. */
  long IDLE = Long.MAX_VALUE;

  /** What is known of a key in a window, or in a part of its session. */
  record Known<A>(Object key, long startNs, long endNs, A known) implements WindowPart<A> {}

  /**
   * Nothing that is earlier comes from the worker any more, but what is late.
   *
   * @param untilNs in ns since 1970, or {@link #IDLE}
   */
  record Progress<A>(int worker, long untilNs) implements WindowPart<A> {}
}
