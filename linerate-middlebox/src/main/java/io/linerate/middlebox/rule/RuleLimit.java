package io.linerate.middlebox.rule;

import java.time.Duration;

/**
 * How many packets a rule passes; those above are dropped.
 *
 * @param packets in each {@code per}, 1 or more
 * @param per a second, minute, hour or day
 * @param burst how many may come at once, 1 or more
 */
public record RuleLimit(long packets, Duration per, long burst) {}
