package io.linerate.apps.measure;

/**
 * Searches the highest rate that a device forwards without loss: RFC 2544, section 26.1. The rate
 * of a trial that did not lose is raised, until one loses or the sender does not reach it; then it
 * is halved between the two.
 *
 * @param resolution by which the answer may be too low, as a part of it: 0.01 is 1 %
 * @param linePps which no trial exceeds; infinite when there is no line
 */
record ThroughputSearch(Trial trial, double resolution, double linePps) {
  /** A trial at a rate. */
  @FunctionalInterface
  interface Trial {
    /**
     * Sends at a rate.
     *
     * @return the rate that was really sent, if everything came back; otherwise 0
     */
    double passedPps(double packetsPerSecond);
  }

  /**
   * What was found.
   *
   * @param pps the highest rate that passed; 0 when none did
   */
  record Answer(double pps, Limit limit) {}

  /** Below this there is nothing to be found. */
  private static final double LEAST_PPS = 10;

  private static final double RAISE = 1.25;

  /**
   * The highest rate that passed.
   *
   * @param firstPps the rate of the first trial
   */
  Answer search(double firstPps) {
    double passed = 0;
    double answer = 0;
    double rate = Math.min(firstPps, linePps);
    for (double sent = trial.passedPps(rate); sent > 0; sent = trial.passedPps(rate)) {
      answer = Math.max(answer, sent);
      if (sent < rate) {
        return new Answer(answer, Limit.SENDER);
      }
      if (rate >= linePps) {
        return new Answer(answer, Limit.LINE);
      }
      passed = rate;
      rate = Math.min(linePps, rate * RAISE);
    }
    return new Answer(Math.max(answer, between(passed, rate)), Limit.DEVICE);
  }

  private double between(double lowestPps, double highestPps) {
    double passed = lowestPps;
    double failed = highestPps;
    double answer = 0;
    while (failed - passed > resolution * failed && failed > LEAST_PPS) {
      double middle = (passed + failed) / 2;
      double sent = trial.passedPps(middle);
      if (sent > 0) {
        passed = middle;
        answer = Math.max(answer, sent);
      } else {
        failed = middle;
      }
    }
    return answer;
  }
}
