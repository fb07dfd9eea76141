package io.linerate.core.counter;

import java.math.BigDecimal;

/** What a sample's value counts. */
public enum SampleUnit {
  /** A plain number. */
  NONE(0),

  PACKETS(0),

  BYTES(0),

  TOKENS(0),

  /** The value is in ns; its name is in seconds, as Prometheus wants it. */
  NANOSECONDS(9);

  private final int decimals;

  SampleUnit(int decimals) {
    this.decimals = decimals;
  }

  /** The value in the unit that the sample's name has, exactly. */
  public BigDecimal inUnitOfName(long value) {
    return BigDecimal.valueOf(value, decimals);
  }
}
