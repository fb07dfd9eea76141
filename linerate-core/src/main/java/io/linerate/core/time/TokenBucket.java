package io.linerate.core.time;

/**
 * A token bucket: RFC 2697, section 3, with one color. It fills at a rate and is full at first.
 * Tokens are kept in units of 1e-9, so that no rate is rounded. For one thread.
 */
public final class TokenBucket {
  public static final long MAX_RATE = 1_000_000_000_000L;

  /** So that no product below overflows: 8e9 tokens in units of 1e-9, and one second's at most. */
  public static final long MAX_BURST = 8_000_000_000L;

  private static final long UNITS = 1_000_000_000L;

  private long perSecond;
  private final long capacityUnits;
  private long units;
  private long lastNs;
  private boolean hasStarted;

  /**
   * @param perSecond tokens that come in, 1 to {@link #MAX_RATE}
   * @param burst tokens that it holds at most, 1 to {@link #MAX_BURST}
   */
  public TokenBucket(long perSecond, long burst) {
    this.perSecond = perSecond;
    capacityUnits = burst * UNITS;
    units = capacityUnits;
  }

  public long perSecond() {
    return perSecond;
  }

  public void perSecond(long rate) {
    perSecond = rate;
  }

  /** Fills it with what has come since the last call. */
  public void fill(long nowNs) {
    if (!hasStarted) {
      hasStarted = true;
      lastNs = nowNs;
    }
    long elapsedNs = nowNs - lastNs;
    lastNs = nowNs;
    long fullInNs = (capacityUnits - units) / perSecond + 1;
    units =
        elapsedNs >= fullInNs
            ? capacityUnits
            : Math.min(capacityUnits, units + elapsedNs * perSecond);
  }

  /** Whether there are so many tokens. */
  public boolean holds(long tokens) {
    return tokens * UNITS <= units;
  }

  /** Takes tokens, all or none. */
  public boolean take(long tokens) {
    long wanted = tokens * UNITS;
    if (wanted > units) {
      return false;
    }
    units -= wanted;
    return true;
  }

  /** As {@link #take}; from a full one more may be taken than it holds, which are owed. */
  public boolean takeOrOwe(long tokens) {
    long wanted = tokens * UNITS;
    if (Math.min(wanted, capacityUnits) > units) {
      return false;
    }
    units -= wanted;
    return true;
  }
}
