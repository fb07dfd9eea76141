package io.linerate.apps.fabric;

import org.HdrHistogram.Histogram;

/**
 * What was measured of one size.
 *
 * @param messages that were sent
 * @param seconds it took
 * @param halfRoundTrips in ns; empty of a bandwidth
 */
record SizeRow(int bytes, long messages, double seconds, Histogram halfRoundTrips) {
  double bytesPerSecond() {
    return bytes * messagesPerSecond();
  }

  double messagesPerSecond() {
    return messages / seconds;
  }

  /** Half round trip of that part of all, in us. */
  double us(double percentile) {
    return halfRoundTrips.getValueAtPercentile(percentile) / 1e3;
  }
}
