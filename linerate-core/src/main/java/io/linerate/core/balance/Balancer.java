package io.linerate.core.balance;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Decides what goes from the busiest worker to a less busy one: the one queue or stage that lowers
 * the load of the busiest of the two most. Against moving to and fro: the loads differ by {@link
 * #LEAST_DIFFERENCE} in {@link #LEAST_INTERVALS} intervals in a row, the move brings them nearer by
 * {@link #LEAST_GAIN}, after a move none follows for {@link #PAUSE_INTERVALS}, and what has moved
 * stays for {@link #REST_INTERVALS}.
 */
final class Balancer {
  /** Shares of time, from 0 to 1. */
  static final double LEAST_DIFFERENCE = 0.2;

  static final double LEAST_GAIN = 0.1;
  static final int LEAST_INTERVALS = 3;
  static final int PAUSE_INTERVALS = 5;
  static final int REST_INTERVALS = 100;

  /**
   * A worker in the last interval.
   *
   * @param share of the time in which it was busy
   * @param pieces that can move, and the part of the time that each has taken
   */
  record Busy(QueueOwner worker, double share, Map<Piece, Double> pieces) {}

  /**
   * What to do.
   *
   * @param share of the worker's time that the piece takes
   */
  record Move(Piece piece, double share, Busy from, Busy to) {
    /** How much nearer the loads are afterwards: twice what the busier of the two has less. */
    private double gain() {
      double difference = from.share - to.share;
      return difference - Math.abs(difference - 2 * share);
    }

    /** Why, in numbers. */
    String reason() {
      return String.format(
          Locale.ROOT,
          "moved by the balancer: it took %.0f %% of worker %d, which was busy for %.0f %% of the time, worker %d for %.0f %%",
          100 * share,
          from.worker.id(),
          100 * from.share,
          to.worker.id(),
          100 * to.share);
    }
  }

  /** Intervals for which what has moved stays. */
  private final Map<Piece, Integer> resting = new HashMap<>();

  private int uneven;
  private int pause;

  /** Called at the end of each interval. */
  Optional<Move> decide(List<Busy> workers) {
    resting.replaceAll((piece, left) -> left - 1);
    resting.values().removeIf(left -> left <= 0);
    if (pause > 0) {
      pause--;
      return Optional.empty();
    }
    Optional<Move> best = best(workers);
    uneven = best.isEmpty() ? 0 : uneven + 1;
    if (uneven < LEAST_INTERVALS) {
      return Optional.empty();
    }
    uneven = 0;
    pause = PAUSE_INTERVALS;
    best.ifPresent(move -> resting.put(move.piece, REST_INTERVALS));
    return best;
  }

  private Optional<Move> best(List<Busy> workers) {
    return workers.stream()
        .max(Comparator.comparingDouble(Busy::share))
        .flatMap(busiest ->
            workers.stream()
                .filter(other -> busiest.share - other.share >= LEAST_DIFFERENCE)
                .flatMap(other ->
                    busiest.pieces.entrySet().stream()
                        .filter(piece -> !resting.containsKey(piece.getKey()))
                        .filter(piece -> piece.getKey().canGoTo(other.worker))
                        .map(piece -> new Move(piece.getKey(), piece.getValue(), busiest, other)))
                .filter(move -> move.gain() >= LEAST_GAIN)
                .max(Comparator.comparingDouble(Move::gain)));
  }
}
