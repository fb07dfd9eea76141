package io.linerate.bench.warmup;

import io.linerate.bench.suite.Benchmark;
import io.linerate.bench.suite.Chart;
import io.linerate.bench.suite.Installation;
import io.linerate.bench.suite.Result;
import io.linerate.bench.suite.Session;
import io.linerate.bench.suite.Spread;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** {@code warmup}: from the start of the process to full speed, and minutes of it. */
public final class WarmupSuite implements Benchmark {
  private static final String WITHOUT = "without the cache";
  private static final String WITH = "with the launcher's cache";
  private static final String LONG = "a long run";

  @Override
  public String name() {
    return "warmup";
  }

  @Override
  public String summary() {
    return "capture from the start of its process, and for minutes";
  }

  @Override
  public void run(Session session) throws IOException, InterruptedException {
    Installation installation = Installation.find();
    List<Rates> without = new ArrayList<>();
    List<Rates> with = new ArrayList<>();
    List<String> cached =
        installation.cache().map(file -> List.of("-XX:AOTCache=" + file)).orElse(List.of());
    int durationMs = session.quick() ? 2_500 : 5_000;
    for (int run = 0; run < (session.quick() ? 1 : 5); run++) {
      if (session.wants(WITHOUT)) {
        without.add(new CaptureRun(session, installation, List.of(), durationMs).run());
      }
      if (session.wants(WITH) && !cached.isEmpty()) {
        with.add(new CaptureRun(session, installation, cached, durationMs).run());
      }
    }
    if (cached.isEmpty()) {
      session.skip(WITH, "the launcher has made no cache; start any command with ./linerate");
    }
    report(session, WITHOUT, without);
    report(session, WITH, with);
    chart(session, without, with);
    if (session.wants(LONG)) {
      runLong(session, installation);
    }
  }

  private void report(Session session, String caseName, List<Rates> runs) {
    if (!runs.isEmpty()) {
      session.add(
          Result.of(name(), "to 95 % of the steady rate, " + caseName, "ms")
              .contestant("java", spread(runs, Rates::warmMs))
              .figure("engine started, ms", spread(runs, Rates::firstPacketMs).median())
              .figure("steady Mpps", spread(runs, Rates::steadyMpps).median())
              .figure("first million packets, ms", spread(runs, Rates::firstMillionMs).median())
              .figure(
                  "their rate to the steady one",
                  spread(runs, run -> 1_000 / run.firstMillionMs() / run.steadyMpps()).median())
              .note("From the start of the process; intervals of 100 ms.")
              .build());
    }
  }

  private static Spread spread(List<Rates> runs, ToDoubleFunction<Rates> figure) {
    return new Spread(runs.stream().mapToDouble(figure).toArray());
  }

  private static void chart(Session session, List<Rates> without, List<Rates> with) {
    List<Chart.Series> series = new ArrayList<>();
    if (!without.isEmpty()) {
      series.add(series(WITHOUT, without.getFirst()));
    }
    if (!with.isEmpty()) {
      series.add(series(WITH, with.getFirst()));
    }
    if (!series.isEmpty()) {
      session.add(
          Chart.lines("warmup", "Capture from the start of its process", "s", "Mpps", series));
    }
  }

  private static Chart.Series series(String label, Rates rates) {
    return new Chart.Series(
        label,
        rates.points().stream().map(point -> point.endMs() / 1_000).toList(),
        rates.points().stream().map(RatePoint::mpps).toList());
  }

  private void runLong(Session session, Installation installation)
      throws IOException, InterruptedException {
    Path file = session.folder().resolve("jvm.log");
    int durationMs = session.quick() ? 3_500 : 180_000;
    Rates rates =
        new CaptureRun(session, installation, List.of(JvmLog.option(file)), durationMs).run();
    JvmLog log = JvmLog.read(file);
    Dips dips = Dips.of(rates, log);
    List<RatePoint> warm = rates.warm();
    session.add(
        Result.of(name(), LONG + ", " + durationMs / 1_000 + " s", "Mpps")
            .contestant("java", new Spread(warm.stream().mapToDouble(RatePoint::mpps).toArray()))
            .figure("dips", dips.all())
            .figure("dips with a collection", dips.byCollector())
            .figure("dips with a deoptimisation", dips.byDeoptimisation())
            .figure("dips without the CPU", dips.byOthers())
            .figure("dips without a cause seen", dips.unexplained())
            .figure(
                "deoptimisations after warm-up",
                (double) JvmLog.after(log.deoptimisationsMs(), rates.warmMs()))
            .figure(
                "collections after warm-up", (double) JvmLog.after(log.pausesMs(), rates.warmMs()))
            .build());
    session.conclude(dips.sentence(warm));
    session.add(
        Chart.lines(
            "warmup-long",
            "Capture for " + durationMs / 1_000 + " s",
            "s",
            "Mpps",
            List.of(series("capture", rates))));
  }
}
