package io.linerate.core.worker;

import io.linerate.core.config.QueueOrder;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Which of its receive queues a worker polls next: {@code f(n)} in algorithms 1 and 2 of
 * Muralidharan and Gregg, "A high-level programming framework to support parallel processing of
 * communication intensive stream applications".
 *
 * <p>A round polls as often as there are queues. When it brought nothing, every queue is polled
 * before the worker idles, whatever the choice: no packet waits through a sleep because its queue
 * was not chosen.
 */
@FunctionalInterface
interface QueueChoice {
  /**
   * The number of the queue to poll, 0 to {@link WorkerQueues#count} - 1. Called on the worker's
   * thread, for each poll.
   */
  int next(WorkerQueues queues);

  /** Null: each in turn. */
  static @Nullable QueueChoice of(QueueOrder order) {
    return switch (order) {
      case ROUND_ROBIN -> null;
      case RANDOM -> random();
      case LONGEST -> new LongestFirst();
      case FLOW -> new StayWithFlow();
    };
  }

  private static QueueChoice random() {
    SplittableRandom random = new SplittableRandom();
    return queues -> random.nextInt(queues.count());
  }

  /**
   * The queue with most packets; among equals, and whatever their lengths after 64 polls, the one
   * that was polled longest ago.
   */
  final class LongestFirst implements QueueChoice {
    static final int MOST_SKIPS = 64;

    private int[] skipped = new int[0];

    @Override
    public int next(WorkerQueues queues) {
      int count = queues.count();
      if (skipped.length < count) {
        skipped = new int[count];
      }
      int best = 0;
      long bestScore = -1;
      for (int i = 0; i < count; i++) {
        int skips = ++skipped[i];
        long waiting = skips > MOST_SKIPS ? Integer.MAX_VALUE : queues.waiting(i);
        long score = waiting << 32 | skips;
        if (score > bestScore) {
          bestScore = score;
          best = i;
        }
      }
      skipped[best] = 0;
      return best;
    }
  }

  /** The same queue while it brings full bursts, but not more than 16 times in a row. */
  final class StayWithFlow implements QueueChoice {
    static final int MOST_BURSTS = 16;

    private int at;
    private int bursts;

    @Override
    public int next(WorkerQueues queues) {
      int count = queues.count();
      if (at >= count) {
        at = 0;
        bursts = 0;
      } else if (bursts >= MOST_BURSTS || queues.lastBurst(at) < queues.burst()) {
        at = at + 1 < count ? at + 1 : 0;
        bursts = 0;
      }
      bursts++;
      return at;
    }
  }
}
