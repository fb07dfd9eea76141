package io.linerate.dashboard;

import java.lang.System.Logger.Level;
import java.util.concurrent.locks.LockSupport;

/** A thread that does something once a second, and goes on whatever comes of it. */
final class Pulse implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Pulse.class.getName());
  private static final long PERIOD_NS = 1_000_000_000;
  private static final long JOIN_MS = 12_000;

  private final Runnable beat;
  private final Thread thread;
  private volatile boolean isClosed;
  private boolean hasFailed;

  private Pulse(String name, Runnable beat) {
    this.beat = beat;
    thread = Thread.ofPlatform().daemon().name(name).unstarted(this::run);
  }

  /**
   * Starts the thread.
   *
   * @param name of it
   */
  static Pulse start(String name, Runnable beat) {
    Pulse pulse = new Pulse(name, beat);
    pulse.thread.start();
    return pulse;
  }

  private void run() {
    long nextNs = System.nanoTime();
    while (!isClosed) {
      long leftNs = nextNs - System.nanoTime();
      if (leftNs > 0) {
        LockSupport.parkNanos(leftNs);
      } else {
        nextNs = Math.max(nextNs + PERIOD_NS, System.nanoTime());
        beatOnce();
      }
    }
  }

  private void beatOnce() {
    try {
      beat.run();
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
