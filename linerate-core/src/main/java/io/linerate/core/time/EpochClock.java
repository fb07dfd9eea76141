package io.linerate.core.time;

import java.time.Instant;

/** Wall-clock time in nanoseconds. */
@FunctionalInterface
public interface EpochClock {
  /** The machine's clock; when that is set, this follows within a second. */
  EpochClock SYSTEM =
      new CarriedClock(
          () -> {
            Instant now = Instant.now();
            return now.getEpochSecond() * 1_000_000_000L + now.getNano();
          },
          System::nanoTime);

  /** Nanoseconds since 1970-01-01T00:00Z; lasts until the year 2262. */
  long epochNs();
}
