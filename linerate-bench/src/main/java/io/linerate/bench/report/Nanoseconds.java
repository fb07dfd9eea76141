package io.linerate.bench.report;

/** What a packet or an operation takes, whichever way round its rate was measured. */
final class Nanoseconds {
  private Nanoseconds() {}

  /** NaN for units that are neither rates nor times. */
  static double of(String unit, double value) {
    return switch (unit) {
      case "Mpps" -> 1_000 / value;
      case "ns" -> value;
      case "us", "µs" -> value * 1_000;
      case "ms" -> value * 1_000_000;
      default -> Double.NaN;
    };
  }
}
