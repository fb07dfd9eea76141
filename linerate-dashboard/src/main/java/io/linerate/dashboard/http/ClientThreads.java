package io.linerate.dashboard.http;

import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;

/** A virtual thread for each request that is being served, up to a number. */
final class ClientThreads implements Executor {
  private static final System.Logger LOG = System.getLogger(ClientThreads.class.getName());

  private final Semaphore places;
  private final ServerLimits limits;
  private final RequestCounts counts;
  private final Map<Thread, Deadline> deadlines = new ConcurrentHashMap<>();

  ClientThreads(ServerLimits limits, RequestCounts counts) {
    places = new Semaphore(limits.requestsAtOnce());
    this.limits = limits;
    this.counts = counts;
  }

  /**
   * Runs it.
   *
   * @throws RejectedExecutionException if there is no place; the server closes the connection
   */
  @Override
  public void execute(Runnable exchange) {
    if (!places.tryAcquire()) {
      counts.addUnreadable();
      throw new RejectedExecutionException("too many requests at once");
    }
    boolean isStarted = false;
    try {
      Thread.ofVirtual().name("dashboard-client").start(() -> serve(exchange));
      isStarted = true;
    } finally {
      if (!isStarted) {
        places.release();
      }
    }
  }

  private void serve(Runnable exchange) {
    Thread self = Thread.currentThread();
    Deadline deadline = new Deadline(self, counts, limits);
    deadlines.put(self, deadline);
    try {
      exchange.run();
    } catch (RuntimeException | Error e) { // One client's; the others are served on.
      LOG.log(Level.WARNING, "client could not be served: reason=" + e);
    } finally {
      deadlines.remove(self);
      deadline.over();
      places.release();
    }
  }

  /** That of the request which this thread serves. */
  Deadline current() {
    Deadline deadline = deadlines.get(Thread.currentThread());
    if (deadline == null) {
      throw new IllegalStateException("thread serves no request: thread=" + Thread.currentThread());
    }
    return deadline;
  }

  /** Cuts off who is too late. */
  void enforceDeadlines() {
    long nowNs = System.nanoTime();
    deadlines.values().forEach(deadline -> deadline.enforce(nowNs));
  }
}
