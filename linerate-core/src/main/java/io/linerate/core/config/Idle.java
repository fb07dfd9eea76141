package io.linerate.core.config;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** What a worker does while no packet comes: see {@code io.linerate.core.worker.IdleStrategy}. */
public enum Idle {
  /** Poll again at once: the shortest delay, a core always busy. */
  BUSY_SPIN,
  /** Let other threads run, then poll again. */
  YIELD,
  /** Spin, then yield, then sleep for longer and longer, at most 1 ms. */
  BACKOFF,
  /** Sleep for 100 µs at a time. */
  SLEEP;

  /** The name in configuration files: {@code busy-spin}. */
  public String key() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * The strategy of that name.
   *
   * @throws ConfigException if there is none of that name
   */
  public static Idle ofKey(String key) {
    for (Idle idle : values()) {
      if (idle.key().equals(key)) {
        return idle;
      }
    }
    throw new ConfigException("no such idle strategy: idle=" + key + "; use one of " + keys());
  }

  public static String keys() {
    return Arrays.stream(values()).map(Idle::key).collect(Collectors.joining(", "));
  }
}
