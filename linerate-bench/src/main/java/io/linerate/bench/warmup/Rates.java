package io.linerate.bench.warmup;

import io.linerate.bench.suite.Spread;
import java.util.List;

/**
 * The rates of one run, in order.
 *
 * @param firstPacketMs when the engine started, since the process was
 */
record Rates(List<RatePoint> points, double firstPacketMs) {
  /**
   * Of the steady rate, from which on a program counts as warm, and below which an interval dips.
   */
  private static final double WARM = 0.95;

  private static final double DIP = 0.8;

  Rates {
    points = List.copyOf(points);
  }

  /** The median rate of the second half. */
  double steadyMpps() {
    return median(points.subList(points.size() / 2, points.size()));
  }

  /** When the rate of three intervals first was steady: the end of their first. */
  double warmMs() {
    double wanted = WARM * steadyMpps();
    for (int i = 0; i + 3 <= points.size(); i++) {
      if (points.get(i).mpps() >= wanted && median(points.subList(i, i + 3)) >= wanted) {
        return points.get(i).endMs();
      }
    }
    return points.getLast().endMs();
  }

  /** How long the first million packets took; interpolated in the interval in which it ended. */
  double firstMillionMs() {
    double left = 1;
    double startMs = firstPacketMs;
    for (RatePoint point : points) {
      double million = point.mpps() * (point.endMs() - startMs) / 1_000;
      if (million >= left) {
        return startMs + left / point.mpps() * 1_000 - firstPacketMs;
      }
      left -= million;
      startMs = point.endMs();
    }
    return startMs - firstPacketMs;
  }

  /** Intervals since it was warm. */
  List<RatePoint> warm() {
    double warmMs = warmMs();
    return points.stream().filter(point -> point.endMs() >= warmMs).toList();
  }

  /** Intervals since it was warm that are much slower than most. */
  List<RatePoint> dips() {
    double bound = DIP * steadyMpps();
    return warm().stream().filter(point -> point.mpps() < bound).toList();
  }

  private static double median(List<RatePoint> points) {
    return new Spread(points.stream().mapToDouble(RatePoint::mpps).toArray()).median();
  }
}
