package io.linerate.core.config;

/**
 * In which order a worker polls its receive queues: see {@code
 * io.linerate.core.worker.QueueChoice}.
 */
public enum QueueOrder {
  /** One after the other. */
  ROUND_ROBIN,
  /** Any, with even odds. */
  RANDOM,
  /** The one in which most packets wait. */
  LONGEST,
  /** The same as before while it brings full bursts, so that flows stay in the cache. */
  FLOW
}
