package io.linerate.bench.fabric;

import io.linerate.bench.port.OrderTaker;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Runs a round of work again and again under the harness's orders, until its digest is asked for:
 * then the rounds have ended, and what they work on may be used for it.
 */
final class StoppableLoop {
  private final AtomicLong done = new AtomicLong();
  private final AtomicBoolean isStopping = new AtomicBoolean();
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final Runnable round;
  private final int times;

  /**
   * @param times how many operations a round is
   */
  StoppableLoop(Runnable round, int times) {
    this.round = round;
    this.times = times;
  }

  /** Starts it; the digest is that of what the work comes to. */
  void serve(LongSupplier digest) {
    OrderTaker.serve(
        this::run,
        done,
        () -> {
          awaitEnd();
          return digest.getAsLong();
        });
  }

  private void run() {
    try {
      for (long count = times; !isStopping.getOpaque(); count += times) {
        round.run();
        done.setRelease(count);
      }
    } finally {
      stopped.countDown();
    }
  }

  private void awaitEnd() {
    isStopping.set(true);
    try {
      stopped.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
