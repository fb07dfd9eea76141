package io.linerate.core.balance;

import io.linerate.core.statistics.WorkerLoad;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Asks for the workers' loads ten times a second and moves the queues that {@link Balancer} names.
 */
public final class BalancerThread {
  private static final System.Logger LOG = System.getLogger(BalancerThread.class.getName());
  private static final long INTERVAL_MS = 100;

  private final Supplier<List<QueueOwner>> workers;
  private final QueueTable queues;
  private final BooleanSupplier isStopping;
  private final Balancer balancer = new Balancer();
  private final Map<QueueOwner, WorkerLoad> loads = new LinkedHashMap<>();
  private final Map<AssignedQueue, Long> packets = new LinkedHashMap<>();

  /**
   * @param workers those that take queues
   * @param isStopping ends the thread
   */
  public BalancerThread(
      Supplier<List<QueueOwner>> workers, QueueTable queues, BooleanSupplier isStopping) {
    this.workers = workers;
    this.queues = queues;
    this.isStopping = isStopping;
  }

  public void start() {
    Thread.ofPlatform().daemon().name("balancer").start(this::run);
  }

  private void run() {
    try {
      while (!isStopping.getAsBoolean()) {
        Thread.sleep(INTERVAL_MS);
        balancer.decide(interval()).ifPresent(this::move);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @SuppressWarnings("FutureReturnValueIgnored") // The next intervals show what became of the move.
  private void move(Balancer.Move move) {
    LOG.log(
        Level.INFO,
        "queue moves to a less busy worker: {0}, from={1}, to={2}",
        move.queue(),
        move.from().id(),
        move.to().id());
    try {
      queues.move(move.queue(), move.to());
    } catch (RuntimeException e) { // The worker retires, or the queue has ended.
      LOG.log(Level.DEBUG, "queue was not moved", e);
    }
  }

  private List<Balancer.Busy> interval() {
    List<Balancer.Busy> busy = new ArrayList<>();
    for (QueueOwner worker : workers.get()) {
      WorkerLoad now = worker.load();
      WorkerLoad before = loads.put(worker, now);
      Map<AssignedQueue, Long> brought = new LinkedHashMap<>();
      for (AssignedQueue queue : queues.of(worker)) {
        long count = queue.packets();
        Long last = packets.put(queue, count);
        brought.put(queue, last == null ? 0 : count - last);
      }
      busy.add(
          new Balancer.Busy(
              worker, now.busyShareSince(before == null ? WorkerLoad.NONE : before), brought));
    }
    return busy;
  }
}
