package io.linerate.fabric;

import java.util.concurrent.TimeUnit;

/** Of loops that would go on for ever: minutes, on any machine. Makes no object. */
final class TimeLimit {
  private static final long LIMIT_NS = TimeUnit.MINUTES.toNanos(5);

  private final long start = System.nanoTime();

  /** Called in each round. */
  void check() {
    if (System.nanoTime() - start > LIMIT_NS) {
      throw new AssertionError("nothing goes on: ns=" + LIMIT_NS);
    }
  }
}
