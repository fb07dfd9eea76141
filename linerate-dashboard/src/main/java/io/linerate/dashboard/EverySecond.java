package io.linerate.dashboard;

import java.lang.System.Logger.Level;
import java.util.concurrent.locks.LockSupport;

/** A thread that does something once a second, and goes on whatever comes of it. */
final class EverySecond implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(EverySecond.class.getName());
  private static final long PERIOD_NS = 1_000_000_000;
  private static final long JOIN_MS = 12_000;

  private final Runnable action;
  private final Thread thread;
  private volatile boolean isClosed;
  private boolean hasFailed;

  private EverySecond(String name, Runnable action) {
    this.action = action;
    thread = Thread.ofPlatform().daemon().name(name).unstarted(this::run);
  }

  /**
   * Starts the thread.
   *
   * @param name of it
   */
  static EverySecond start(String name, Runnable action) {
    EverySecond everySecond = new EverySecond(name, action);
    everySecond.thread.start();
    return everySecond;
  }

  private void run() {
    long nextNs = System.nanoTime();
    while (!isClosed) {
      long leftNs = nextNs - System.nanoTime();
      if (leftNs > 0) {
        LockSupport.parkNanos(leftNs);
      } else {
        nextNs = Math.max(nextNs + PERIOD_NS, System.nanoTime());
        runOnce();
      }
    }
  }

  private void runOnce() {
    try {
      action.run();
      hasFailed = false;
    } catch (RuntimeException | Error e) { // Without it no client is cut off: it goes on.
      if (!hasFailed && !isClosed) {
        LOG.log(Level.ERROR, "dashboard cannot read the program", e);
      }
      hasFailed = true;
    }
  }

  @Override
  public void close() {
    isClosed = true;
    LockSupport.unpark(thread);
    try {
      thread.join(JOIN_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
