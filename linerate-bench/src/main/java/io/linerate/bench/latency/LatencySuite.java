package io.linerate.bench.latency;

import io.linerate.bench.suite.Benchmark;
import io.linerate.bench.suite.Chart;
import io.linerate.bench.suite.Result;
import io.linerate.bench.suite.Session;
import io.linerate.bench.suite.Spread;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.HdrHistogram.Histogram;

/** {@code latency}: the table of ixy's Java paper, with today's collectors. */
public final class LatencySuite implements Benchmark {
  private static final Load MILLION = new Load("1 Mpps", 1e6, 0);
  private static final List<Load> LOADS =
      List.of(MILLION, Load.share(10), Load.share(50), Load.share(90));
  private static final double[] PERCENTILES = {50, 99, 99.9, 99.99};
  private static final double NS_PER_US = 1_000;

  @Override
  public String name() {
    return "latency";
  }

  @Override
  public String summary() {
    return "how long a forwarder keeps packets, by load and garbage collector";
  }

  @Override
  public void run(Session session) throws IOException {
    Pace pace = Pace.of(session);
    List<Load> loads = LOADS.stream().filter(load -> session.wants(load.title())).toList();
    Map<Contestant, Map<Load, List<MeterRun>>> all = new EnumMap<>(Contestant.class);
    double ofC;
    try (Measurement measurement = new Measurement(session, Contestant.C)) {
      ofC = measurement.maximumPps(pace.sliceMs());
    }
    double maximumPps;
    try (Measurement measurement = new Measurement(session, Contestant.SERIAL)) {
      measurement.warmUp(pace.warmUpMs());
      double ofJava = measurement.maximumPps(pace.sliceMs());
      maximumPps = Math.min(ofC, ofJava);
      session.add(maximum(ofJava / 1e6, ofC / 1e6));
      all.put(
          Contestant.SERIAL, measurement.measure(loads, maximumPps, pace.slices(), pace.sliceMs()));
    }
    for (Contestant one : pace.others()) {
      try (Measurement measurement = new Measurement(session, one)) {
        measurement.warmUp(one.isC() ? pace.sliceMs() : pace.warmUpMs());
        all.put(one, measurement.measure(loads, maximumPps, pace.slices(), pace.sliceMs()));
      }
    }
    report(session, loads, all, maximumPps);
  }

  /** Shares are of the smaller one, so that all get the same load. */
  private Result maximum(double ofJavaMpps, double ofCMpps) {
    return Result.of(name(), "maximum", "Mpps")
        .contestant("java", new Spread(ofJavaMpps))
        .contestant("c", new Spread(ofCMpps))
        .note("Of one CPU that sends, receives and measures, and the forwarder on another.")
        .build();
  }

  private void report(
      Session session,
      List<Load> loads,
      Map<Contestant, Map<Load, List<MeterRun>>> all,
      double maximumPps) {
    for (Load load : loads) {
      all.forEach((one, runs) -> {
        if (runs.containsKey(load)) {
          session.add(result(one, load, runs.getOrDefault(load, List.of()), maximumPps));
        } else {
          session.skip(title(one, load), "nothing came back: the machine is busy");
        }
      });
    }
    if (loads.contains(MILLION)) {
      session.add(chart(all));
    }
  }

  private static String title(Contestant one, Load load) {
    return load.title() + ", " + one.title();
  }

  private Result result(Contestant one, Load load, List<MeterRun> runs, double maximumPps) {
    double[] medians = runs.stream().mapToDouble(run -> percentile(run.delaysNs(), 50)).toArray();
    Histogram delays = together(runs);
    Result.Builder result =
        Result.of(name(), title(one, load), "us")
            .contestant(one.isC() ? "c" : "java", new Spread(medians))
            .figure("offered Mpps", load.packetsPerS(maximumPps) / 1e6);
    for (double percentile : PERCENTILES) {
      result.figure(label(percentile), percentile(delays, percentile));
    }
    result.figure("worst", worst(runs, MeterRun::worstNs));
    result.figure("meter's own pause", worst(runs, MeterRun::pauseNs));
    result.figure("lost", runs.stream().mapToDouble(run -> run.sent() - run.received()).sum());
    if (load.equals(MILLION)) {
      result.theirs(
          "ixy.java, 2019",
          one.isC() ? "worst, C" : "worst, the best of Java",
          one.isC() ? 23 : 44);
    }
    return result.build();
  }

  private static String label(double percentile) {
    return (percentile == 50 ? "median" : percentile + " %").replace(".0 %", " %");
  }

  private static double percentile(Histogram delays, double percentile) {
    return delays.getValueAtPercentile(percentile) / NS_PER_US;
  }

  private static double worst(List<MeterRun> runs, ToLongFunction<MeterRun> time) {
    return runs.stream().mapToLong(time).max().orElse(0) / NS_PER_US;
  }

  private static Histogram together(List<MeterRun> runs) {
    Histogram all = new Histogram(3);
    runs.forEach(run -> all.add(run.delaysNs()));
    return all;
  }

  /** Percentiles at 1 Mpps, a line each; the x axis counts nines. */
  private static Chart chart(Map<Contestant, Map<Load, List<MeterRun>>> all) {
    List<Chart.Series> series = new ArrayList<>();
    all.forEach((one, runs) -> {
      Histogram delays = together(runs.getOrDefault(MILLION, List.of()));
      List<Double> nines = new ArrayList<>();
      List<Double> us = new ArrayList<>();
      for (double percentile : new double[] {0, 50, 90, 99, 99.9, 99.99, 99.999}) {
        nines.add(-Math.log10(1 - percentile / 100));
        us.add(percentile(delays, percentile));
      }
      series.add(new Chart.Series(one.title(), nines, us));
    });
    return Chart.lines("latency", "Delay at 1 Mpps", "nines: 1 is 90 %, 3 is 99.9 %", "us", series);
  }
}
