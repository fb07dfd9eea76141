package io.linerate.middlebox.balance;

import java.time.Duration;

/**
 * How backends are asked whether they are up.
 *
 * @param kind what they are asked
 * @param path of HTTP, such as {@code /health}: answers of status 200 to 399 count
 * @param interval between two questions; an answer that comes later is none
 * @param fails unanswered questions in a row, after which a backend is down
 * @param passes answered ones, after which it is up
 */
public record HealthSettings(Kind kind, String path, Duration interval, int fails, int passes) {
  /** What backends are asked. */
  public enum Kind {
    /** Nothing: all are up. */
    NONE,
    /** An echo request. */
    ICMP,
    /** Whether they accept a connection. */
    TCP,
    /** For a page. */
    HTTP
  }

  // Before what is made by them.
  private static final Duration SHORTEST = Duration.ofMillis(10);
  private static final Duration LONGEST = Duration.ofHours(1);

  /** A connection a second; down after three, up after two. */
  public static final HealthSettings USUAL =
      new HealthSettings(Kind.TCP, "/", Duration.ofSeconds(1), 3, 2);

  /**
   * @throws IllegalArgumentException if something is out of range
   */
  public HealthSettings {
    boolean isInRange =
        interval.compareTo(SHORTEST) >= 0
            && interval.compareTo(LONGEST) <= 0
            && fails >= 1
            && passes >= 1
            && path.matches("/[!-~]{0,200}");
    if (!isInRange) {
      throw new IllegalArgumentException(
          "no such health check: path=%s, interval=%s, fails=%d, passes=%d; write a path of ASCII that begins with /, 10ms to 1h, and 1 or more"
              .formatted(path, interval, fails, passes));
    }
  }
}
