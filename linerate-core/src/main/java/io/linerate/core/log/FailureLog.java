package io.linerate.core.log;

import io.linerate.core.counter.SingleWriterCounters;
import io.linerate.core.time.TokenBucket;
import java.io.PrintWriter;
import java.io.Writer;
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
      first = Optional.of(message.get() + ", error=" + printable(failure));
    }
    logged.fill(System.nanoTime());
    if (logged.take(1)) {
      log(log, message.get() + ", failures since the last message=" + unlogged, failure);
      unlogged = 0;
    }
  }

  /**
   * Logs a failure as an error. Nothing that it does when it is printed escapes, nor what a logger
   * throws: then the message goes to standard error.
   */
  public static void log(System.Logger log, String message, Throwable failure) {
    Throwable printable = printable(failure);
    try {
      log.log(Level.ERROR, message, printable);
    } catch (Throwable e) { // The logger may be of an application.
      System.err.println("linerate: " + message + ", error=" + printable);
    }
  }

  /** The failure itself; if that cannot be printed, one in its place that names it. */
  public static Throwable printable(Throwable failure) {
    try {
      failure.printStackTrace(new PrintWriter(Writer.nullWriter()));
      boolean _ = String.valueOf(failure.getMessage()).isEmpty();
      return failure;
    } catch (Throwable e) { // Whatever it is, it belongs to who has thrown the failure.
      return new IllegalStateException(
          "%s, which cannot be printed: error=%s"
              .formatted(failure.getClass().getName(), e.getClass().getName()));
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
