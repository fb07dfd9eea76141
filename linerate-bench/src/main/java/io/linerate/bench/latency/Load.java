package io.linerate.bench.latency;

/**
 * How many packets a second: so many, or a share of the maximum.
 *
 * @param title in the report
 * @param packetsPerS 0 for a share
 */
record Load(String title, double packetsPerS, double share) {
  static Load share(int percent) {
    return new Load(percent + " % of the maximum", 0, percent / 100.0);
  }

  double packetsPerS(double maximum) {
    return packetsPerS > 0 ? packetsPerS : share * maximum;
  }
}
