package io.linerate.middlebox.session;

import io.linerate.graph.Wiring;
import io.linerate.track.ConnectionTable;

/**
 * Lets connections of a table go whose time is over, in steps that hold up packets for no longer
 * than a device can wait: 1.6 million a second. Several elements may share one; one thread's own.
 */
public final class Expiry {
  private static final long PERIOD_NS = 2_000_000;

  /** Connections that are looked at in each {@link #PERIOD_NS}. */
  private static final int MOST = 3_277;

  private final ConnectionTable table;
  private long lastNs;

  /**
   * @param nowNs the time now, of the clock of the table
   */
  public Expiry(ConnectionTable table, long nowNs) {
    this.table = table;
    lastNs = nowNs;
  }

  /** Has it done as long as the element of the wiring is there. */
  public void begin(Wiring wiring) {
    wiring.every(PERIOD_NS, () -> step(wiring.nowNs()));
  }

  /** Once for all who share it. */
  private void step(long nowNs) {
    if (nowNs - lastNs >= PERIOD_NS / 2) {
      lastNs = nowNs;
      table.expire(nowNs, MOST);
    }
  }
}
