package io.linerate.driver.linux;

import io.linerate.core.config.ConfigException;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** When a ring's owner makes the system call that tells the kernel of filled slots. */
public enum CallPolicy {
  /** When it pays, or when nothing else is to be done: {@link AdaptiveSender}. */
  ADAPTIVE,
  /** After each burst. */
  ALWAYS,
  /**
   * When no slot is free: the fewest calls, and no bound on how long a packet waits. For comparison
   * only: under sparse load a forwarder may wait for ever, when packets that were not announced use
   * up what it receives into.
   */
  FULL;

  /** The name in addresses. */
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The policy of that name.
   *
   * @throws ConfigException if there is none
   */
  public static CallPolicy ofKey(String key) {
    return Arrays.stream(values())
        .filter(policy -> policy.key().equals(key))
        .findFirst()
        .orElseThrow(() ->
            new ConfigException(
                "no such call policy: calls=%s; use one of %s"
                    .formatted(
                        key,
                        Arrays.stream(values())
                            .map(CallPolicy::key)
                            .collect(Collectors.joining(", ")))));
  }
}
