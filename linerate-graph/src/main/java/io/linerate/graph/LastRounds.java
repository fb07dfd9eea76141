package io.linerate.graph;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What workers that feed each other tell about their last rounds, when no packets come from ports
 * any more: whether nothing is on its way between them. They look twice, as F. Mattern's second
 * counting does (Algorithms for distributed termination detection, 1987): what none of them was at
 * in between, none of them has.
 */
final class LastRounds {
  private final Map<Integer, Rounds> workers = new ConcurrentHashMap<>();

  /** Those of one worker, which alone writes them. */
  static final class Rounds {
    private volatile long withWork;
    private volatile boolean isIdle;

    /** Another one begins: packets may be on no queue now. */
    void begin() {
      isIdle = false;
    }

    /** It has ended. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // One thread writes.
    void end(int work) {
      if (work > 0) {
        withWork++;
      }
      isIdle = work == 0;
    }
  }

  /** A worker begins with its last rounds. */
  Rounds of(int worker) {
    Rounds rounds = new Rounds();
    workers.put(worker, rounds);
    return rounds;
  }

  /** A worker has closed its sides of all queues: another one may get its number. */
  void forget(int worker) {
    workers.remove(worker);
  }

  /** Whether all of these are at their end. */
  boolean areAtEnd(Set<Integer> some) {
    return workers.keySet().containsAll(some);
  }

  /** How many rounds of workers had work; -1 if one of them is at work, or not at its end yet. */
  long withWork(Set<Integer> some) {
    long sum = 0;
    for (int worker : some) {
      Rounds rounds = workers.get(worker);
      if (rounds == null || !rounds.isIdle) {
        return -1;
      }
      sum += rounds.withWork;
    }
    return sum;
  }
}
