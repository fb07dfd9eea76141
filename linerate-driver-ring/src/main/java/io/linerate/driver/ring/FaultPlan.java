package io.linerate.driver.ring;

import io.linerate.core.port.AddressOptions;

/** Which faults to make, and how often: probabilities for each packet. */
record FaultPlan(
    double drop, double duplicate, double corrupt, double truncate, double refuse, long seed) {
  static FaultPlan of(AddressOptions options) {
    return new FaultPlan(
        options.probability("drop"),
        options.probability("duplicate"),
        options.probability("corrupt"),
        options.probability("truncate"),
        options.probability("refuse"),
        options.number("seed", 1, Long.MIN_VALUE, Long.MAX_VALUE, "a whole number of 64 bits"));
  }
}
