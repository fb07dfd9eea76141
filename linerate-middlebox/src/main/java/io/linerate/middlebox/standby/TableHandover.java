package io.linerate.middlebox.standby;

import io.linerate.track.ConnectionTable;
import io.linerate.track.Phase;
import io.linerate.track.TrackSettings;
import java.util.Objects;
import java.util.Optional;
import java.util.function.IntConsumer;

/**
 * Has tables of connections begin with what another program knew, and keeps copies of what changes
 * for the next one.
 */
public interface TableHandover {
  /** Tables begin empty, and nobody has copies. */
  TableHandover NONE = (_, _, _, _) -> Optional.empty();

  /** The copy of a table. */
  interface Copy {
    /** Passes on what has changed, or a part of it: often, on the table's thread. */
    void step(long nowNs);
  }

  /**
   * Begins with a worker's table, on its thread.
   *
   * @param worker from 0 on
   * @param table without connections
   * @param nowNs the time now, of the clock of the table
   * @param restored is told the number of each connection that it begins with, and may remove it
   * @return what passes on changes; empty if nobody has copies
   */
  Optional<Copy> restoreAndCopy(
      int worker, ConnectionTable table, long nowNs, IntConsumer restored);

  /**
   * Has connections that are restored last no longer than their phase lets them here, whatever the
   * other program has said.
   *
   * @param restored is told of them then
   */
  static IntConsumer withTimeouts(
      ConnectionTable table, TrackSettings settings, long nowNs, IntConsumer restored) {
    return number -> {
      Phase phase = table.records().phase(number);
      long mostNs = Objects.requireNonNull(settings.timeouts().get(phase)).toNanos();
      if (table.records().expiresNs(number) - nowNs > mostNs) {
        table.expireAt(number, nowNs + mostNs);
      }
      restored.accept(number);
    };
  }
}
