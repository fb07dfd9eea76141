package io.linerate.core.worker;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Looks at the workers' loads ten times a second and moves the queues that {@link Balancer} names.
 */
final class BalancerThread {
  private static final System.Logger LOG = System.getLogger(BalancerThread.class.getName());
  private static final long INTERVAL_MS = 100;

  private final Crew crew;
  private final QueueTable queues;
  private final Balancer balancer = new Balancer();
  private final Map<Worker, WorkerLoad> loads = new LinkedHashMap<>();
  private final Map<Input, Long> packets = new LinkedHashMap<>();

  BalancerThread(Crew crew, QueueTable queues) {
    this.crew = crew;
    this.queues = queues;
  }

  void start() {
    Thread.ofPlatform().daemon().name("balancer").start(this::run);
  }

  private void run() {
    try {
      while (!crew.isStopping()) {
        Thread.sleep(INTERVAL_MS);
        look();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @SuppressWarnings("FutureReturnValueIgnored") // The next looks show what became of the move.
  private void look() {
    balancer
        .decide(workers())
        .ifPresent(move -> {
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
        });
  }

  private List<Balancer.Busy> workers() {
    List<Balancer.Busy> busy = new ArrayList<>();
    for (Worker worker : crew.workers()) {
      WorkerLoad now = worker.load();
      WorkerLoad before = loads.put(worker, now);
      Map<Input, Long> brought = new LinkedHashMap<>();
      for (Input input : queues.of(worker)) {
        long count = input.packets();
        Long last = packets.put(input, count);
        brought.put(input, last == null ? 0 : count - last);
      }
      busy.add(
          new Balancer.Busy(
              worker, now.busyShareSince(before == null ? WorkerLoad.NONE : before), brought));
    }
    return busy;
  }
}
