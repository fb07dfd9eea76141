package io.linerate.core.config;

/** What a worker does while no packet comes: see {@code io.linerate.core.worker.IdleStrategy}. */
public enum Idle {
  /** Poll again at once: the shortest delay, a core always busy. */
  BUSY_SPIN,
  /** Let other threads run, then poll again. */
  YIELD,
  /** Spin, then yield, then sleep for longer and longer, at most 1 ms. */
  BACKOFF,
  /** Sleep for 100 µs at a time. */
  SLEEP,
  /**
   * Wait in the kernel until a packet comes: an idle program takes no CPU. Ports that cannot tell
   * when packets come are looked at every millisecond.
   */
  INTERRUPT
}
