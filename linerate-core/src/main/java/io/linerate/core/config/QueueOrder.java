package io.linerate.core.config;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * In which order a worker polls its receive queues: see {@code
 * io.linerate.core.worker.QueueChoice}.
 */
public enum QueueOrder {
  /** One after the other. */
  ROUND_ROBIN,
  /** Any, with even odds. */
  RANDOM,
  /** The one in which most packets wait. */
  LONGEST,
  /** The same as before while it brings full bursts, so that flows stay in the cache. */
  FLOW;

  /** The name in configuration files: {@code round-robin}. */
  public String key() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * The order of that name.
   *
   * @throws ConfigException if there is none of that name
   */
  public static QueueOrder ofKey(String key) {
    for (QueueOrder order : values()) {
      if (order.key().equals(key)) {
        return order;
      }
    }
    throw new ConfigException("no such order: queuechoice=" + key + "; use one of " + keys());
  }

  public static String keys() {
    return Arrays.stream(values()).map(QueueOrder::key).collect(Collectors.joining(", "));
  }
}
