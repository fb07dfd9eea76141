package io.linerate.dashboard.http;

import java.lang.System.Logger.Level;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Predicate;

/**
 * A virtual thread for each request that is being served, up to a number. When there is no place
 * for one more, the client that has kept the server waiting longest gives way: who sends half a
 * request or reads nothing is cut off, a moment later, for one that asks. A client that waits for
 * the server, or that has shown the token, is never cut off for another; one that shows it in this
 * moment is served.
 */
final class ClientThreads implements Executor {
  private static final System.Logger LOG = System.getLogger(ClientThreads.class.getName());

  private final ServerLimits limits;
  private final RequestCounts counts;
  private final Map<Thread, Deadline> deadlines = new ConcurrentHashMap<>();

  ClientThreads(ServerLimits limits, RequestCounts counts) {
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
    Thread thread = Thread.ofVirtual().name("dashboard-client").unstarted(() -> serve(exchange));
    if (!enter(thread)) {
      counts.addUnreadable();
      throw new RejectedExecutionException("too many requests at once");
    }
    boolean isStarted = false;
    try {
      thread.start();
      isStarted = true;
    } finally {
      if (!isStarted) {
        deadlines.remove(thread);
      }
    }
  }

  private synchronized boolean enter(Thread thread) {
    boolean hasPlace = hasPlace(limits.requestsAtOnce(), _ -> true);
    if (hasPlace) {
      deadlines.put(thread, new Deadline(thread, counts, limits));
    }
    return hasPlace;
  }

  /**
   * The head of a request is there, and says who asks.
   *
   * @throws Refusal if that is not the owner of the token, and all places of others are taken
   */
  synchronized void admit(Deadline deadline, boolean isOwner) {
    if (!isOwner
        && (deadline.hasGivenWay() || !hasPlace(limits.othersAtOnce(), Deadline::isOther))) {
      throw new Refusal(503, "too many requests at once; ask again");
    }
    deadline.admit(isOwner);
  }

  /** Whether fewer than so many of these clients have a place, if need be after one gave way. */
  private boolean hasPlace(int most, Predicate<Deadline> these) {
    List<Deadline> there =
        deadlines.values().stream()
            .filter(these)
            .filter(client -> !client.hasGivenWay() && !client.isCutOff())
            .toList();
    if (there.size() < most) {
      return true;
    }
    long nowNs = System.nanoTime();
    Optional<Deadline> slowest =
        there.stream()
            .filter(Deadline::mayGiveWay)
            .min(Comparator.comparingLong(client -> client.leftNs(nowNs)));
    slowest.ifPresent(Deadline::giveWay);
    return slowest.isPresent();
  }

  private void serve(Runnable exchange) {
    Deadline deadline = current();
    try {
      exchange.run();
    } catch (RuntimeException | Error e) { // One client's; the others are served on.
      LOG.log(Level.WARNING, "client could not be served: reason=" + e);
    } finally {
      deadlines.remove(Thread.currentThread());
      deadline.over();
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
