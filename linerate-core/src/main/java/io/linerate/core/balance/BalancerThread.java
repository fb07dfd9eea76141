package io.linerate.core.balance;

import io.linerate.core.driver.MovableWork;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Asks for the workers' loads ten times a second and moves what {@link Balancer} names: work of
 * runtimes, and queues where these move.
 */
public final class BalancerThread {
  private static final System.Logger LOG = System.getLogger(BalancerThread.class.getName());
  private static final long INTERVAL_MS = 100;

  private final Supplier<List<QueueOwner>> workers;
  private final Supplier<List<MovableWork>> works;
  private final QueueTable queues;
  private final boolean movesQueues;
  private final BooleanSupplier isStopping;
  private final Balancer balancer = new Balancer();
  private final Shares shares = new Shares();

  /**
   * @param workers those that take queues
   * @param works of runtimes
   * @param isStopping ends the thread
   */
  public BalancerThread(
      Supplier<List<QueueOwner>> workers,
      Supplier<List<MovableWork>> works,
      QueueTable queues,
      boolean movesQueues,
      BooleanSupplier isStopping) {
    this.workers = workers;
    this.works = works;
    this.queues = queues;
    this.movesQueues = movesQueues;
    this.isStopping = isStopping;
  }

  public void start() {
    Thread.ofPlatform().daemon().name("balancer").start(this::run);
  }

  private void run() {
    try {
      while (!isStopping.getAsBoolean()) {
        Thread.sleep(INTERVAL_MS);
        balancer.decide(interval()).ifPresent(BalancerThread::move);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void move(Balancer.Move move) {
    LOG.log(
        Level.INFO,
        "load moves to a less busy worker: {0}, from={1}, to={2}; {3}",
        move.piece(),
        move.from().worker().id(),
        move.to().worker().id(),
        move.reason());
    try {
      move.piece().moveTo(move.to().worker(), move.reason());
    } catch (RuntimeException e) { // The worker retires, or the queue has ended.
      LOG.log(Level.DEBUG, "what was to move stays", e);
    }
  }

  private List<Balancer.Busy> interval() {
    List<MovableWork> all = works.get();
    return workers.get().stream()
        .map(worker ->
            shares.of(
                worker,
                all.stream().filter(work -> work.worker() == worker.id()).toList(),
                movesQueues ? queues.of(worker) : List.of(),
                queues))
        .toList();
  }
}
