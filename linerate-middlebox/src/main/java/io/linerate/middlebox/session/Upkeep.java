package io.linerate.middlebox.session;

import io.linerate.graph.ValueType;
import io.linerate.graph.Wiring;
import io.linerate.middlebox.standby.TableHandover;
import io.linerate.track.ConnectionTable;
import io.linerate.track.ConnectionText;
import java.util.Optional;

/**
 * Lets connections of a table go whose time is over, in steps that hold up packets for no longer
 * than a device can wait: 1.6 million a second. Tells what there is in it. Several elements may
 * share one; one thread's own.
 */
public final class Upkeep {
  private static final long PERIOD_NS = 2_000_000;

  /** Connections that are looked at in each {@link #PERIOD_NS}. */
  private static final int MOST = 3_277;

  /** How long a change waits until it is passed on. */
  private static final long COPY_NS = 250_000;

  private static final int MOST_SHOWN = 1_000;

  private final ConnectionTable table;
  private final Optional<TableHandover.Copy> copy;
  private long lastNs;

  /**
   * @param nowNs the time now, of the clock of the table
   */
  public Upkeep(ConnectionTable table, long nowNs) {
    this(table, nowNs, Optional.empty());
  }

  /** As {@link #Upkeep(ConnectionTable, long)}, with a copy. */
  public Upkeep(ConnectionTable table, long nowNs, Optional<TableHandover.Copy> copy) {
    this.table = table;
    this.copy = copy;
    lastNs = nowNs;
  }

  /**
   * Has it done as long as the element of the wiring is there, which gets values to read: {@code
   * connections}, how many there are now, {@code evicted}, how many went to make room for others,
   * and {@code flows}, up to 1,000 of them as {@link ConnectionText#json lines of JSON}.
   */
  public void begin(Wiring wiring) {
    wiring.every(PERIOD_NS, () -> step(wiring.nowNs()));
    copy.ifPresent(some -> wiring.every(COPY_NS, () -> some.step(wiring.nowNs())));
    wiring.count("connections", table::size);
    wiring.count("evicted", table::evicted);
    wiring.read(
        "flows", ValueType.TEXT, () -> ConnectionText.lines(table, MOST_SHOWN, wiring.nowNs()));
  }

  /** Once for all who share it. */
  private void step(long nowNs) {
    if (nowNs - lastNs >= PERIOD_NS / 2) {
      lastNs = nowNs;
      table.expire(nowNs, MOST);
    }
  }
}
