package io.linerate.core.measure;

import io.linerate.core.flight.Flight;

/**
 * Finds bursts of a worker that took too long, by the readings of the clock that it takes anyway:
 * when it becomes busy, every 16 rounds, and when it becomes idle.
 */
final class SlowBursts {
  private final int worker;
  private final long slowNs;
  private boolean isTiming;
  private long sinceNs;
  private long receivedBefore;

  /**
   * @param worker its number
   * @param slowNs what is too long
   */
  SlowBursts(int worker, long slowNs) {
    this.worker = worker;
    this.slowNs = slowNs;
  }

  /**
   * The worker reads the clock before rounds.
   *
   * @param received packets that it has received until now
   */
  void begin(long nowNs, long received) {
    isTiming = true;
    sinceNs = nowNs;
    receivedBefore = received;
  }

  /** It reads the clock after rounds, and before others. */
  void lap(long nowNs, long received) {
    if (isTiming && nowNs - sinceNs >= slowNs) {
      Flight.slowBurst(worker, nowNs - sinceNs, received - receivedBefore);
    }
    begin(nowNs, received);
  }

  /** It waits for something: rounds until the next reading are not timed. */
  void pause() {
    isTiming = false;
  }
}
