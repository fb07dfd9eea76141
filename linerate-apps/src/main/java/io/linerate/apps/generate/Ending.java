package io.linerate.apps.generate;

import java.util.List;
import java.util.function.BooleanSupplier;

/** Ends a run that waits for packets to come back: when all are there, or none can be late. */
final class Ending implements Runnable {
  /** RFC 2544, section 23: wait two seconds for residual frames. */
  static final long RESIDUAL_NS = 2_000_000_000L;

  private final List<TrafficQueue> queues;
  private final BooleanSupplier isComplete;
  private final Runnable stop;
  private int rounds;

  /**
   * @param queues of all workers; complete before the first runs
   */
  Ending(List<TrafficQueue> queues, BooleanSupplier isComplete, Runnable stop) {
    this.queues = queues;
    this.isComplete = isComplete;
    this.stop = stop;
  }

  /** Called again and again by workers that have nothing to send. */
  @Override
  public void run() {
    if ((++rounds & 0xFF) != 0) {
      return;
    }
    long lastNs = Long.MIN_VALUE;
    for (TrafficQueue queue : queues) {
      if (!queue.isFinished()) {
        return;
      }
      lastNs = Math.max(lastNs, queue.finishedNs());
    }
    if (isComplete.getAsBoolean() || System.nanoTime() - lastNs > RESIDUAL_NS) {
      stop.run();
    }
  }
}
