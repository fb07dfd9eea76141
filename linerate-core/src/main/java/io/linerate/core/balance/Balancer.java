package io.linerate.core.balance;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Decides which queue goes from the busiest worker to a less busy one.
 *
 * <p>A queue's part of its worker's load is its part of the packets. The queue is chosen that
 * leaves the two workers nearest to each other. Against moving to and fro: the loads differ by
 * {@link #LEAST_DIFFERENCE} in {@link #LEAST_INTERVALS} intervals in a row, the move brings them
 * nearer by {@link #LEAST_GAIN}, and after a move none follows for {@link #PAUSE_INTERVALS}.
 */
final class Balancer {
  /** Shares of time, from 0 to 1. */
  static final double LEAST_DIFFERENCE = 0.2;

  static final double LEAST_GAIN = 0.1;
  static final int LEAST_INTERVALS = 3;
  static final int PAUSE_INTERVALS = 5;

  /**
   * A worker in the last interval.
   *
   * @param share of the time in which it was busy
   * @param packets of each of its queues
   */
  record Busy(QueueOwner worker, double share, Map<AssignedQueue, Long> packets) {
    /** The part of the worker's load that a queue causes. */
    double share(long queuePackets) {
      long all = packets.values().stream().mapToLong(Long::longValue).sum();
      return all == 0 ? 0 : share * queuePackets / all;
    }
  }

  /** What to do. */
  record Move(AssignedQueue queue, QueueOwner from, QueueOwner to) {}

  private record Candidate(Move move, double gain) {}

  private int uneven;
  private int pause;

  /** Called at the end of each interval. */
  Optional<Move> decide(List<Busy> workers) {
    if (pause > 0) {
      pause--;
      return Optional.empty();
    }
    Optional<Candidate> best = best(workers);
    if (best.isEmpty()) {
      uneven = 0;
      return Optional.empty();
    }
    if (++uneven < LEAST_INTERVALS) {
      return Optional.empty();
    }
    uneven = 0;
    pause = PAUSE_INTERVALS;
    return best.map(Candidate::move);
  }

  private static Optional<Candidate> best(List<Busy> workers) {
    return workers.stream()
        .max(Comparator.comparingDouble(Busy::share))
        .flatMap(busiest ->
            workers.stream()
                .filter(other -> busiest.share - other.share >= LEAST_DIFFERENCE)
                .flatMap(other ->
                    busiest.packets.entrySet().stream()
                        .filter(queue -> other.worker.canTake(queue.getKey().port()))
                        .map(queue -> candidate(busiest, other, queue)))
                .filter(candidate -> candidate.gain >= LEAST_GAIN)
                .max(Comparator.comparingDouble(Candidate::gain)));
  }

  private static Candidate candidate(Busy from, Busy to, Map.Entry<AssignedQueue, Long> queue) {
    double difference = from.share - to.share;
    double after = Math.abs(difference - 2 * from.share(queue.getValue()));
    return new Candidate(new Move(queue.getKey(), from.worker, to.worker), difference - after);
  }
}
