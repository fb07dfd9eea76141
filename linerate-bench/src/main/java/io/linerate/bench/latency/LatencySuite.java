package io.linerate.bench.latency;

import io.linerate.bench.duel.Feed;
import io.linerate.bench.duel.Match;
import io.linerate.bench.duel.TextFiles;
import io.linerate.bench.suite.Benchmark;
import io.linerate.bench.suite.Chart;
import io.linerate.bench.suite.Result;
import io.linerate.bench.suite.Session;
import io.linerate.bench.suite.Spread;
import io.linerate.core.worker.CpuReservation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * {@code latency}: how long a firewall keeps packets, beside its C twin, with the page open. Both
 * run in turn, each with a meter of its own.
 */
public final class LatencySuite implements Benchmark {
  private static final List<Load> LOADS =
      List.of(
          new Load("10 kpps", 10_000),
          new Load("100 kpps", 100_000),
          new Load("1 Mpps", 1_000_000));
  private static final Load MIDDLE = LOADS.get(1);
  private static final Load MOST = LOADS.getLast();

  /** The launcher's own, without a name, and the others at one load. */
  private static final List<Collector> COLLECTORS =
      List.of(
          new Collector("", "-XX:+UseSerialGC", LOADS),
          new Collector(", Parallel", "-XX:+UseParallelGC", List.of(MIDDLE)),
          new Collector(", G1", "-XX:+UseG1GC", List.of(MIDDLE)),
          new Collector(", ZGC", "-XX:+UseZGC", List.of(MIDDLE)));

  private static final int BURST = 32;
  private static final double RATIO_PERCENTILE = 99.99;
  private static final double[] PERCENTILES = {50, 99, 99.9};

  /** Starting and ending both, once for each JVM. */
  private static final int START_MS = 3_500;

  private static final int WARM_UPS = 10;
  private static final int PAUSE_MS = 25;

  private record Collector(String title, String option, List<Load> loads) {
    String caseName(Load load) {
      return load.title() + title;
    }
  }

  /** What all JVMs did, by the contestant. */
  private static final class Measured {
    private final List<Delays> java = new ArrayList<>();
    private final List<Delays> c = new ArrayList<>();
  }

  @Override
  public String name() {
    return "latency";
  }

  @Override
  public String summary() {
    return "how long a firewall keeps packets, by load and garbage collector, with its page open";
  }

  @Override
  public boolean startsFreshJvms() {
    return true;
  }

  @Override
  public void run(Session session) throws IOException {
    List<Collector> wanted =
        COLLECTORS.stream()
            .limit(session.quick() ? 1 : COLLECTORS.size())
            .map(one ->
                new Collector(
                    one.title,
                    one.option,
                    one.loads.stream().filter(load -> session.wants(one.caseName(load))).toList()))
            .filter(one -> !one.loads.isEmpty())
            .toList();
    int loads = wanted.stream().mapToInt(one -> one.loads.size()).sum();
    try (CpuReservation _ = CpuReservation.of(List.of(session.cpu()))) {
      for (Collector one : wanted) {
        run(session, one, (int) (session.left().toMillis() * one.loads.size() / loads));
        loads -= one.loads.size();
      }
    }
  }

  private void run(Session session, Collector collector, int budgetMs) throws IOException {
    int jvms = session.jvms();
    int warmUpMs = session.quick() ? 1_000 : 4_000;
    int slices = session.pairs() * 2 * collector.loads.size();
    int sliceMs =
        Math.clamp((budgetMs / jvms - START_MS - warmUpMs) / slices - PAUSE_MS, 50, 2_000);
    Map<Load, Measured> all = new LinkedHashMap<>();
    for (int i = 0; i < jvms; i++) {
      measure(session, collector, i % 2 == 0, warmUpMs, sliceMs, all);
    }
    all.forEach(
        (load, measured) -> session.add(result(collector.caseName(load), load, measured, jvms)));
    if (collector.title.isEmpty()) {
      all.forEach((load, measured) -> session.add(chart(load, measured)));
    }
  }

  private void measure(
      Session session,
      Collector collector,
      boolean isJavaFirst,
      int warmUpMs,
      int sliceMs,
      Map<Load, Measured> all)
      throws IOException {
    Map<Load, List<MeterRun>> java = new LinkedHashMap<>();
    Map<Load, List<MeterRun>> c = new LinkedHashMap<>();
    Path recording = session.folder().resolve("recording.jfr");
    Path javaFolder = session.folder().resolve(Match.JAVA);
    Match match = match(session);
    try (Viewer viewer = Viewer.create();
        Forwarder twin =
            new Forwarder(
                session, session.folder().resolve(Match.C), match.cCommand(Match.C, session));
        Forwarder ours =
            new Forwarder(
                session,
                javaFolder,
                javaCommand(session, match, javaFolder, viewer, collector.option, recording))) {
      viewer.start();
      warmUp(ours, viewer, warmUpMs);
      for (int i = 0; i < session.pairs(); i++) {
        for (Load load : collector.loads) {
          boolean isJavaNow = isJavaFirst == (i % 2 == 0);
          for (Forwarder one : isJavaNow ? List.of(ours, twin) : List.of(twin, ours)) {
            (one == ours ? java : c)
                .computeIfAbsent(load, _ -> new ArrayList<>())
                .add(one.run(load, sliceMs));
          }
        }
      }
    }
    FlightRecording recorded = FlightRecording.read(recording);
    for (Load load : collector.loads) {
      Measured measured = all.computeIfAbsent(load, _ -> new Measured());
      measured.java.add(new Delays(java.getOrDefault(load, List.of()), recorded));
      measured.c.add(new Delays(c.getOrDefault(load, List.of()), FlightRecording.none()));
    }
  }

  /** Until somebody has seen the page, which has to share its CPU. */
  private static void warmUp(Forwarder ours, Viewer viewer, int ms) {
    for (int i = 0; i < WARM_UPS && (i == 0 || viewer.isWaiting()); i++) {
      var _ = ours.run(MOST, ms);
    }
    viewer.requireSeen();
  }

  /** A rule that matches nothing, so that both look at each packet and let it pass. */
  private static Match match(Session session) {
    Path rules = TextFiles.write(session.folder().resolve("rules"), List.of("drop 192.0.2.1 tcp"));
    return new Match(
        "latency", "firewall", Feed.relay(), BURST, List.of(rules), Map.of(Match.C, List.of()));
  }

  private static List<String> javaCommand(
      Session session, Match match, Path folder, Viewer viewer, String collector, Path recording) {
    List<String> options = new ArrayList<>(List.of("-XX:-UseSerialGC", collector));
    options.addAll(FlightRecording.options(recording));
    List<String> words =
        new ArrayList<>(
            match.javaCommand(
                session.javaCommand(match.main().getFirst(), options.toArray(String[]::new)),
                TextFiles.folder(folder),
                session.cpu()));
    words.addAll(List.of("--dashboard", viewer.address()));
    return words;
  }

  private Result result(String caseName, Load load, Measured measured, int jvms) {
    Result.Builder result =
        Result.of(name(), caseName, "us")
            .contestant(Match.JAVA, spread(measured.java))
            .contestant(Match.C, spread(measured.c))
            .ratio(Match.JAVA, Match.C, jvms);
    add(result, Match.JAVA, measured.java);
    add(result, Match.C, measured.c);
    result
        .note("stalls of java: " + Delays.stallsText(measured.java))
        .note("stalls of c: " + Delays.stallsText(measured.c));
    if (load.equals(MOST)) {
      result
          .theirs("ixy.java, 2019", "worst, the best of Java", 44)
          .theirs("ixy.java, 2019", "worst, C", 23);
    }
    return result.build();
  }

  private static Spread spread(List<Delays> all) {
    return new Spread(
        all.stream().mapToDouble(one -> one.percentileUs(RATIO_PERCENTILE)).toArray());
  }

  private static void add(Result.Builder result, String contestant, List<Delays> all) {
    Histogram delays = Delays.together(all);
    for (double percentile : PERCENTILES) {
      result.figure(contestant + " " + label(percentile), Delays.us(delays, percentile));
    }
    result
        .figure(contestant + " worst", Delays.us(delays, 100))
        .figure(contestant + " lost", (double) Delays.lost(all));
  }

  private static String label(double percentile) {
    return (percentile == 50 ? "median" : percentile + " %").replace(".0 %", " %");
  }

  /** A line for each; the x axis counts nines. */
  private static Chart chart(Load load, Measured measured) {
    return Chart.lines(
        "latency-" + load.packetsPerS() / 1_000 + "k",
        "Delay at " + load.title(),
        "nines: 1 is 90 %, 3 is 99.9 %",
        "us",
        List.of(series(Match.JAVA, measured.java), series(Match.C, measured.c)));
  }

  private static Chart.Series series(String label, List<Delays> all) {
    Histogram delays = Delays.together(all);
    List<Double> nines = new ArrayList<>();
    List<Double> us = new ArrayList<>();
    for (double percentile : new double[] {0, 50, 90, 99, 99.9, 99.99}) {
      nines.add(-Math.log10(1 - percentile / 100));
      us.add(Delays.us(delays, percentile));
    }
    return new Chart.Series(label, nines, us);
  }
}
