package io.linerate.apps.measure;

/**
 * Searches the highest rate that a device forwards without loss: RFC 2544, section 26.1. The rate
 * of a trial that lost is lowered, that of one that did not is raised, by halves.
 *
 * @param resolution by which the answer may be too low, as a part of it: 0.01 is 1 %
 */
record ThroughputSearch(Trial trial, double resolution) {
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

  /** Below this there is nothing to be found. */
  private static final double LEAST_PPS = 10;

  /**
   * The highest rate that passed.
   *
   * @param mostPps the rate of the first trial, which none exceeds
   * @return packets in a second; 0 when no rate passed
   */
  double search(double mostPps) {
    double answer = trial.passedPps(mostPps);
    if (answer > 0) {
      return answer;
    }
    double passed = 0;
    double failed = mostPps;
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
