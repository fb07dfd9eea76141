package io.linerate.core.log;

import io.linerate.core.counter.SingleWriterCounters;
import io.linerate.core.time.TokenBucket;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Failures of handlers: counts them, keeps the first, and logs one a second at most, each message
 * with the number of failures since the last one. One thread writes, any may read. Nothing that a
 * failure does when it is printed escapes.
 */
public final class FailureLog {
  private final System.Logger log;
  private final TokenBucket logged = new TokenBucket(1, 1);
  private final SingleWriterCounters count = new SingleWriterCounters(1);
  private long unlogged;
  private volatile Optional<String> first = Optional.empty();

  public FailureLog(System.Logger log) {
    this.log = log;
  }

  /**
   * A handler failed.
   *
   * @param message what failed, and where: asked for when it is first, or logged
   */
  public void add(Supplier<String> message, Throwable failure) {
    unlogged++;
    count.increment(0);
    if (count() == 1) {
      first = Optional.of(message.get() + ", error=" + text(failure));
    }
    logged.fill(System.nanoTime());
    if (logged.take(1)) {
      log(message.get() + ", failures since the last message=" + unlogged, failure);
      unlogged = 0;
    }
  }

  private void log(String message, Throwable failure) {
    try {
      log.log(Level.ERROR, message, failure);
    } catch (Throwable e) { // The failure cannot be printed.
      log.log(Level.ERROR, message + ", error=" + text(failure));
    }
  }

  private static String text(Throwable failure) {
    try {
      return failure.toString();
    } catch (Throwable e) { // Whatever it is, it belongs to the handler.
      return failure.getClass().getName() + " (which cannot be printed: " + e.getClass() + ")";
    }
  }

  /** Failures until now. Any thread. */
  public long count() {
    return count.get(0);
  }

  /** What failed first, and where. Any thread. */
  public Optional<String> first() {
    return first;
  }
}
