package io.linerate.core.log;

import io.linerate.core.counter.SingleWriterCounters;
import io.linerate.core.time.TokenBucket;
import java.io.PrintWriter;
import java.io.Writer;
import java.lang.System.Logger.Level;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Failures of handlers: counts them by the place where they happen, keeps the first of each, and
 * logs one a second at most of each, each message with the number of failures since the last one.
 * One thread writes, any may read. Nothing that a failure does when it is printed escapes.
 */
public final class FailureLog {
  private final System.Logger log;

  /** In the order in which they failed first. */
  private final Map<String, Place> places = Collections.synchronizedMap(new LinkedHashMap<>());

  /** Where something failed. */
  private static final class Place {
    private final TokenBucket logged = new TokenBucket(1, 1);
    private final SingleWriterCounters count = new SingleWriterCounters(1);
    private final String first;
    private long unlogged;

    Place(String first) {
      this.first = first;
    }
  }

  /**
   * What failed at one place.
   *
   * @param first what was thrown first, and where
   */
  public record Failures(String place, String first, long count) {}

  public FailureLog(System.Logger log) {
    this.log = log;
  }

  /** Something failed that has no other place than what the message says. */
  public void add(Supplier<String> message, Throwable failure) {
    add(message.get(), message, failure);
  }

  /**
   * A handler failed.
   *
   * @param place whose failures are counted together, such as {@code element=count}
   * @param message what failed, and where: asked for when it is first, or logged
   */
  public void add(String place, Supplier<String> message, Throwable failure) {
    Place at = count(place, message, failure);
    at.unlogged++;
    at.logged.fill(System.nanoTime());
    if (at.logged.take(1)) {
      log(log, message.get() + ", failures since the last message=" + at.unlogged, failure);
      at.unlogged = 0;
    }
  }

  /** As {@link #add(String, Supplier, Throwable)}, of what is logged elsewhere. */
  public void addLogged(String place, Supplier<String> message, Throwable failure) {
    Place _ = count(place, message, failure);
  }

  private Place count(String place, Supplier<String> message, Throwable failure) {
    Place at = places.get(place);
    if (at == null) {
      at = new Place(message.get() + ", error=" + printable(failure));
      places.put(place, at);
    }
    at.count.increment(0);
    return at;
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
    return failures().stream().mapToLong(Failures::count).sum();
  }

  /** What failed first, and where. Any thread. */
  public Optional<String> first() {
    return failures().stream().map(Failures::first).findFirst();
  }

  /** What failed at each place, in the order in which they failed first. Any thread. */
  public List<Failures> failures() {
    synchronized (places) {
      return places.entrySet().stream()
          .map(one -> new Failures(one.getKey(), one.getValue().first, one.getValue().count.get(0)))
          .toList();
    }
  }
}
