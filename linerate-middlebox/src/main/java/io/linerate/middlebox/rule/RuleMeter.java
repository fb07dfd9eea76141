package io.linerate.middlebox.rule;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Says which packets are within a {@link RuleLimit}, for all workers together: the generic cell
 * rate algorithm (ITU-T I.371, annex A), one number that says until when packets were let pass
 * ahead of their time. Any thread; 0 B of heap a packet.
 */
public final class RuleMeter {
  /** Times are in parts of a nanosecond, so that high rates are exact to 1 in 1,000. */
  private static final int PARTS_BITS = 6;

  private final long interval;
  private final long tolerance;
  private final long startNs;

  /** When the next packet would come if all came in time. */
  private final AtomicLong due = new AtomicLong();

  /**
   * @param nowNs the time now, of the clock that {@link #allows} has
   */
  public RuleMeter(RuleLimit limit, long nowNs) {
    double each = (double) limit.per().toNanos() * (1 << PARTS_BITS) / limit.packets();
    interval = Math.max(1, Math.round(each));
    tolerance = (long) (each * (limit.burst() - 1));
    startNs = nowNs;
  }

  /** Whether one more packet is within the limit; it is counted then. */
  public boolean allows(long nowNs) {
    long now = (nowNs - startNs) << PARTS_BITS;
    while (true) {
      long before = due.get();
      if (before - now > tolerance) {
        return false;
      }
      if (due.compareAndSet(before, Math.max(before, now) + interval)) {
        return true;
      }
    }
  }
}
