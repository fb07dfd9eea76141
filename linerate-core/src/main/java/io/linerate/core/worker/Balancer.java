package io.linerate.core.worker;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Decides which queue goes from the busiest worker to a less busy one.
 *
 * <p>A queue's part of its worker's load is its part of the packets. The queue is chosen that
 * leaves the two workers nearest to each other. Against moving to and fro: the loads differ by
 * {@link #LEAST_DIFFERENCE} at {@link #LOOKS} looks in a row, the move brings them nearer by {@link
 * #LEAST_GAIN}, and after a move there is a rest.
 */
final class Balancer {
  /** Shares of time, from 0 to 1. */
  static final double LEAST_DIFFERENCE = 0.2;

  static final double LEAST_GAIN = 0.1;
  static final int LOOKS = 3;
  static final int RESTING_LOOKS = 5;

  /**
   * A worker since the last look.
   *
   * @param share of the time in which it was busy
   * @param packets of each of its queues
   */
  record Busy(Worker worker, double share, Map<Input, Long> packets) {
    /** The part of the worker's load that a queue causes. */
    double share(long queuePackets) {
      long all = packets.values().stream().mapToLong(Long::longValue).sum();
      return all == 0 ? 0 : share * queuePackets / all;
    }
  }

  /** What to do. */
  record Move(Input queue, Worker from, Worker to) {}

  private record Candidate(Move move, double gain) {}

  private int uneven;
  private int resting;

  /** A look at all workers, at regular times. */
  Optional<Move> decide(List<Busy> workers) {
    if (resting > 0) {
      resting--;
      return Optional.empty();
    }
    Optional<Candidate> best = best(workers);
    if (best.isEmpty()) {
      uneven = 0;
      return Optional.empty();
    }
    if (++uneven < LOOKS) {
      return Optional.empty();
    }
    uneven = 0;
    resting = RESTING_LOOKS;
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
                        .filter(queue -> other.worker.canTake(queue.getKey().port))
                        .map(queue -> candidate(busiest, other, queue)))
                .filter(candidate -> candidate.gain >= LEAST_GAIN)
                .max(Comparator.comparingDouble(Candidate::gain)));
  }

  private static Candidate candidate(Busy from, Busy to, Map.Entry<Input, Long> queue) {
    double difference = from.share - to.share;
    double after = Math.abs(difference - 2 * from.share(queue.getValue()));
    return new Candidate(new Move(queue.getKey(), from.worker, to.worker), difference - after);
  }
}
