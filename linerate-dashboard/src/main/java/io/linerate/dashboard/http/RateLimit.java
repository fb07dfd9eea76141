package io.linerate.dashboard.http;

import java.util.function.LongSupplier;

/** A bucket of permissions that fills steadily: any thread takes one for each request. */
public final class RateLimit {
  private static final double NS_PER_S = 1e9;

  private final double perSecond;
  private final double most;
  private final LongSupplier clockNs;
  private double left;
  private long sinceNs;

  /**
   * @param most that can be taken at once, after a pause
   */
  public RateLimit(double perSecond, double most, LongSupplier clockNs) {
    this.perSecond = perSecond;
    this.most = most;
    this.clockNs = clockNs;
    left = most;
    sinceNs = clockNs.getAsLong();
  }

  public synchronized boolean take() {
    long nowNs = clockNs.getAsLong();
    left = Math.min(most, left + (nowNs - sinceNs) / NS_PER_S * perSecond);
    sinceNs = nowNs;
    if (left < 1) {
      return false;
    }
    left--;
    return true;
  }
}
