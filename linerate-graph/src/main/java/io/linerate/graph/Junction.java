package io.linerate.graph;

import io.linerate.core.driver.SpscRing;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The rings of a queue, one for each worker that feeds it: what comes from one worker stays in its
 * order. Workers may come and go while packets flow.
 */
final class Junction {
  private final Element element;
  private volatile boolean isCyclic;

  // By the number of the worker that feeds the queue. Guarded by this.
  private final Map<Integer, Integer> emptiers = new LinkedHashMap<>();
  private final Map<Integer, SpscRing> rings = new LinkedHashMap<>();

  /** By the number of their worker. Guarded by this. */
  private final Map<Integer, QueueSide> sides = new LinkedHashMap<>();

  Junction(PlacedElement placed, Layout layout) {
    element = placed.element();
    for (int feeder : layout.inputs(placed.name())) {
      emptiers.put(feeder, layout.emptier(placed.name(), feeder));
    }
  }

  /** By the number of the worker that feeds it, the worker that empties it. */
  synchronized Map<Integer, Integer> emptiers() {
    return Map.copyOf(emptiers);
  }

  void cyclic(boolean isPartOfCycle) {
    isCyclic = isPartOfCycle;
  }

  Element element() {
    return element;
  }

  /** Workers that have not ended and feed it or empty it, if it is part of a cycle. */
  synchronized Set<Integer> cyclicWorkers() {
    Set<Integer> workers = new HashSet<>();
    if (isCyclic) {
      emptiers.forEach((feeder, emptier) -> {
        SpscRing ring = rings.get(feeder);
        if (ring == null || !ring.isProducerClosed()) {
          workers.add(feeder);
        }
        if (ring == null || !ring.isConsumerClosed()) {
          workers.add(emptier);
        }
      });
    }
    return workers;
  }

  /** Whether nothing is inside, if it is part of a cycle. */
  synchronized boolean isEmpty() {
    return !isCyclic
        || rings.values().stream().allMatch(ring -> ring.size() == 0 || ring.isConsumerClosed());
  }

  /** How much has gone in and out, if it is part of a cycle. */
  synchronized long movedInCycle() {
    return isCyclic
        ? rings.values().stream().mapToLong(ring -> ring.packetsIn() + ring.packetsOut()).sum()
        : 0;
  }

  /** A worker that was added will feed the queue, if it has the elements before it. */
  synchronized void join(String queue, Layout layout, int feeder) {
    forgetEnded();
    if (layout.inputs(queue).contains(feeder)) {
      emptiers.putIfAbsent(feeder, layout.emptier(queue, feeder));
    }
  }

  /** A worker that was to feed the queue will never run. */
  synchronized void withdraw(int feeder) {
    SpscRing ring = rings.get(feeder);
    if (ring != null) {
      ring.closeProducer();
    }
    forget(feeder);
  }

  /**
   * Whether other workers feed what a worker empties, or will: what they feed may still be on its
   * way to that worker.
   */
  synchronized boolean isFedByOthers(int worker) {
    return emptiers.entrySet().stream()
        .anyMatch(pair ->
            pair.getValue() == worker && pair.getKey() != worker && !hasEnded(pair.getKey()));
  }

  /** Workers of which something may still come to a worker. */
  synchronized Set<Integer> feeders(int worker) {
    Set<Integer> feeders = new HashSet<>();
    emptiers.forEach((feeder, emptier) -> {
      SpscRing ring = rings.get(feeder);
      if (emptier == worker && (ring == null || !ring.isExhausted())) {
        feeders.add(feeder);
      }
    });
    return feeders;
  }

  private boolean hasEnded(int feeder) {
    SpscRing ring = rings.get(feeder);
    return ring != null && ring.isProducerClosed();
  }

  private void forget(int feeder) {
    rings.remove(feeder);
    emptiers.remove(feeder);
    sides.remove(feeder);
  }

  /** What workers have left behind that have ended. */
  private void forgetEnded() {
    List<Integer> ended = new ArrayList<>();
    rings.forEach((feeder, ring) -> {
      if (ring.isExhausted()) {
        ended.add(feeder);
      }
    });
    ended.forEach(this::forget);
  }

  /** Makes a worker's side of the queue of its part. */
  @FunctionalInterface
  interface Sides<S extends QueueSide> {
    S of(QueueSide.Part part);
  }

  /**
   * The queue's part on one worker. If another one empties what this worker feeds, and runs
   * already, it takes the new ring between two bursts.
   *
   * @param newRing makes a ring of the queue
   */
  <S extends QueueSide> S on(int worker, Supplier<SpscRing> newRing, Sides<S> sideOf) {
    SpscRing fed = null;
    QueueSide other = null;
    S side;
    synchronized (this) {
      if (emptiers.containsKey(worker)) {
        other = rings.containsKey(worker) ? null : sides.get(emptiers.get(worker));
        fed = ring(worker, newRing);
      }
      side = sideOf.of(new QueueSide.Part(fed, emptied(worker, newRing), isCyclic));
      sides.put(worker, side);
    }
    if (other != null && fed != null) {
      other.submitJoin(fed);
    }
    return side;
  }

  private List<SpscRing> emptied(int worker, Supplier<SpscRing> newRing) {
    List<SpscRing> emptied = new ArrayList<>();
    emptiers.forEach((feeder, emptier) -> {
      if (emptier == worker) {
        emptied.add(ring(feeder, newRing));
      }
    });
    return emptied;
  }

  private SpscRing ring(int feeder, Supplier<SpscRing> newRing) {
    return rings.computeIfAbsent(feeder, _ -> newRing.get());
  }

  /** The ring that a worker feeds, or all if it feeds none. */
  synchronized List<SpscRing> near(int worker) {
    SpscRing own = rings.get(worker);
    return own != null ? List.of(own) : List.copyOf(rings.values());
  }
}
