package io.linerate.track.flow;

import io.linerate.track.ConnectionTable;
import java.time.Duration;

/**
 * How flows are metered.
 *
 * @param maxFlows that are open at most; when one more begins, another one ends
 * @param activeTimeout after which a flow that goes on is told of, and begins anew with its next
 *     packet
 * @param idleTimeout without packets after which a flow ends
 */
public record FlowSettings(int maxFlows, Duration activeTimeout, Duration idleTimeout) {
  /** Longest time-out. */
  public static final Duration MAX_TIMEOUT = Duration.ofDays(1);

  /** 65,536 flows; 60 s and 15 s, between the usual 30 s to 5 minutes and 10 s to 30 s. */
  public static final FlowSettings DEFAULT =
      new FlowSettings(65_536, Duration.ofSeconds(60), Duration.ofSeconds(15));

  /**
   * @throws IllegalArgumentException if there cannot be so many flows, or a time-out is not between
   *     a second and {@link #MAX_TIMEOUT}
   */
  public FlowSettings {
    if (maxFlows < ConnectionTable.MIN_CAPACITY || maxFlows > ConnectionTable.MAX_CAPACITY) {
      throw new IllegalArgumentException(
          "no such number of flows: maxFlows=%d; give %d to %d"
              .formatted(maxFlows, ConnectionTable.MIN_CAPACITY, ConnectionTable.MAX_CAPACITY));
    }
    check("activeTimeout", activeTimeout);
    check("idleTimeout", idleTimeout);
  }

  private static void check(String name, Duration timeout) {
    if (timeout.compareTo(Duration.ofSeconds(1)) < 0 || timeout.compareTo(MAX_TIMEOUT) > 0) {
      throw new IllegalArgumentException(
          "not a time-out: %s=%s; give 1 s to %d h"
              .formatted(name, timeout, MAX_TIMEOUT.toHours()));
    }
  }

  public FlowSettings withMaxFlows(int flows) {
    return new FlowSettings(flows, activeTimeout, idleTimeout);
  }

  public FlowSettings withActiveTimeout(Duration timeout) {
    return new FlowSettings(maxFlows, timeout, idleTimeout);
  }

  public FlowSettings withIdleTimeout(Duration timeout) {
    return new FlowSettings(maxFlows, activeTimeout, timeout);
  }
}
