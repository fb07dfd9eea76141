package io.linerate.middlebox.rule;

import java.time.Duration;

/**
 * How many packets a rule passes; those above are dropped.
 *
 * @param packets in each {@code per}, 1 or more
 * @param per a second, minute, hour or day
 * @param burst how many may come at once, 1 or more
 * @param of whose packets are counted together
 */
public record RuleLimit(long packets, Duration per, long burst, Of of) {
  /** Whose packets are counted together. */
  public enum Of {
    /** All that the rule decides about. */
    ALL,
    /** Those from the same address of IPv4, or the same 64 bits of IPv6. */
    SOURCE,
    /** Likewise those to it. */
    DESTINATION
  }
}
