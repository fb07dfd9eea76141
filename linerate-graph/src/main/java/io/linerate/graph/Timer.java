package io.linerate.graph;

import java.util.function.LongSupplier;

/** Calls something again and again. The first time is one period after the first look. */
final class Timer implements Round {
  private final long periodNs;
  private final LongSupplier nowNs;
  private final Runnable action;
  private boolean hasStarted;
  private long dueNs;

  Timer(long periodNs, LongSupplier nowNs, Runnable action) {
    this.periodNs = periodNs;
    this.nowNs = nowNs;
    this.action = action;
  }

  @Override
  public long restNs(Runnable wake) {
    return hasStarted ? Math.max(0, dueNs - nowNs.getAsLong()) : 0;
  }

  @Override
  public int run() {
    long now = nowNs.getAsLong();
    if (!hasStarted) {
      hasStarted = true;
      dueNs = now + periodNs;
    }
    if (now - dueNs < 0) {
      return 0;
    }
    dueNs = now + periodNs;
    action.run();
    return 1; // It may have sent or dropped something, which an idle worker hands on after work
    // only.
  }
}
