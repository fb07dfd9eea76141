package io.linerate.core.balance;

import io.linerate.core.driver.MovableWork;
import io.linerate.core.statistics.WorkerLoad;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What workers have done in an interval, and which part of it was for what can move: of stages what
 * was measured, and of queues, where these move, their part of the packets in what is left.
 */
final class Shares {
  private final Map<QueueOwner, WorkerLoad> loads = new HashMap<>();
  private final Map<AssignedQueue, Long> packets = new HashMap<>();
  private final Map<MovableWork, Long> times = new HashMap<>();

  /** Since this worker was asked for the last time. */
  Balancer.Busy of(
      QueueOwner worker, List<MovableWork> works, List<AssignedQueue> queues, QueueTable table) {
    WorkerLoad now = worker.load();
    WorkerLoad before = loads.put(worker, now);
    WorkerLoad start = before == null ? WorkerLoad.NONE : before;
    double share = now.busyShareSince(start);
    long allNs = now.busyNs() + now.idleNs() - start.busyNs() - start.idleNs();

    Map<MovableWork, Long> took = new LinkedHashMap<>();
    works.forEach(work -> took.put(work, since(times, work, work.ns())));
    double measuredNs = took.values().stream().mapToLong(Long::longValue).sum();
    // Estimates may say more than there was.
    double scale = measuredNs == 0 ? 0 : Math.min(1.0 / allNs, share / measuredNs);
    Map<Piece, Double> pieces = new LinkedHashMap<>();
    took.forEach((work, ns) -> pieces.put(new Piece.Work(work), ns * scale));

    double left = share - measuredNs * scale;
    Map<AssignedQueue, Long> brought = new LinkedHashMap<>();
    queues.forEach(queue -> brought.put(queue, since(packets, queue, queue.packets())));
    double all = Math.max(1, brought.values().stream().mapToLong(Long::longValue).sum());
    brought.forEach(
        (queue, count) -> pieces.put(new Piece.Queue(queue, table), left * count / all));
    return new Balancer.Busy(worker, share, pieces);
  }

  /** How much more it is than the last time; 0 the first time. */
  private static <K> long since(Map<K, Long> last, K key, long now) {
    Long before = last.put(key, now);
    return before == null ? 0 : now - before;
  }
}
