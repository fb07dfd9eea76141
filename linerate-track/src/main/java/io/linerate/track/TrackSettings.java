package io.linerate.track;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

/**
 * How connections are tracked.
 *
 * @param timeouts how long a connection is kept without packets, by phase
 * @param picksUp whether a connection of TCP may be seen from the middle on: after a restart, or
 *     where one direction only passes. Its windows are not looked at then
 * @param isOneWay whether packets of one direction pass only, as where servers answer by another
 *     way: windows of TCP are not looked at
 */
public record TrackSettings(Map<Phase, Duration> timeouts, boolean picksUp, boolean isOneWay) {
  /** Longest time-out. */
  public static final Duration MAX_TIMEOUT = Duration.ofDays(30);

  /**
   * What RFC 5382 (sections 5 and REQ-5), 4787 (REQ-5) and 5508 (REQ-1) ask for at least: TCP two
   * hours and 4 minutes when established and 4 minutes else, UDP 5 minutes and 2 while nothing has
   * come back, queries of ICMP 60 s; closed TCP connections 10 s, other protocols 10 minutes.
   */
  public static final TrackSettings DEFAULT =
      new TrackSettings(
          Map.of(
              Phase.TCP_OPENING, Duration.ofMinutes(4),
              Phase.TCP_ESTABLISHED, Duration.ofMinutes(124),
              Phase.TCP_CLOSING, Duration.ofMinutes(4),
              Phase.TCP_CLOSED, Duration.ofSeconds(10),
              Phase.UDP_UNANSWERED, Duration.ofMinutes(2),
              Phase.UDP_ANSWERED, Duration.ofMinutes(5),
              Phase.ICMP_QUERY, Duration.ofSeconds(60),
              Phase.OTHER, Duration.ofMinutes(10)),
          false,
          false);

  /**
   * @throws IllegalArgumentException if a phase has no time-out, or one that is not between a
   *     second and {@link #MAX_TIMEOUT}
   */
  public TrackSettings {
    Map<Phase, Duration> all = new EnumMap<>(Phase.class);
    all.putAll(timeouts);
    for (Phase phase : Phase.values()) {
      Duration timeout = all.get(phase);
      if (timeout == null
          || timeout.compareTo(Duration.ofSeconds(1)) < 0
          || timeout.compareTo(MAX_TIMEOUT) > 0) {
        throw new IllegalArgumentException(
            "not a time-out: phase=%s, timeout=%s; give 1 s to %d days"
                .formatted(phase, timeout, MAX_TIMEOUT.toDays()));
      }
    }
    timeouts = Map.copyOf(all);
  }

  /** With another time-out for one phase. */
  public TrackSettings withTimeout(Phase phase, Duration timeout) {
    Map<Phase, Duration> all = new EnumMap<>(timeouts);
    all.put(phase, timeout);
    return new TrackSettings(all, picksUp, isOneWay);
  }

  public TrackSettings withPicksUp(boolean is) {
    return new TrackSettings(timeouts, is, isOneWay);
  }

  public TrackSettings withIsOneWay(boolean is) {
    return new TrackSettings(timeouts, picksUp, is);
  }
}
