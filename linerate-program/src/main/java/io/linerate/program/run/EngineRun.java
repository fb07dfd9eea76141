package io.linerate.program.run;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.config.RateText;
import io.linerate.core.port.PortStatistics;
import io.linerate.core.statistics.PacketCounts;
import io.linerate.core.statistics.PortSummary;
import io.linerate.core.statistics.RunSummary;
import io.linerate.core.worker.CpuReservation;
import io.linerate.core.worker.Engine;
import io.linerate.core.worker.StopSignal;
import io.linerate.dashboard.Dashboard;
import io.linerate.dashboard.DashboardSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Runs an application on an engine of its own: until its inputs end, its time is up or a signal
 * comes. Then packets are drained, ports closed, the summary and what failed printed, in this
 * order.
 */
public final class EngineRun {
  /** How often a long run says that it lives, when the user does not say how often. */
  private static final Duration STATS = Duration.ofSeconds(10);

  private static final long NS_PER_MS = 1_000_000;

  /** When a run has gone on for so long that it is said to be up. */
  private static final long UP_NS = 200 * NS_PER_MS;

  private final EngineConfig config;
  private final Optional<Duration> duration;
  private final Duration stats;
  private final boolean isStatsWanted;
  private final Console console;
  private boolean isQuiet;
  private Optional<DashboardSettings> dashboard = Optional.empty();
  private Optional<DropFile.Task> drops = Optional.empty();

  /**
   * @param duration when it stops by itself
   * @param stats how often it says how it stands
   */
  public EngineRun(
      EngineConfig config, Optional<Duration> duration, Optional<Duration> stats, Console console) {
    this.config = config;
    this.duration = duration;
    this.stats = stats.orElse(STATS);
    isStatsWanted = stats.isPresent();
    this.console = console;
  }

  /** The same without a word while it runs: for one that another program has started. */
  public EngineRun quiet() {
    isQuiet = true;
    return this;
  }

  /** The same with a page to watch it by. */
  public EngineRun dashboard(Optional<DashboardSettings> settings) {
    dashboard = settings;
    return this;
  }

  /** The same with a file for what it drops. */
  public EngineRun drops(Optional<DropFile.Task> task) {
    drops = task;
    return this;
  }

  /**
   * Runs it.
   *
   * @return the {@link ExitStatus}: failed if a port or a worker did, or the report cannot be
   *     written
   */
  public int run(Application application) {
    Engine engine = new Engine(config);
    try (StopSignal _ = StopSignal.install(engine::stop)) {
      RunSummary summary = summary(engine, application);
      application.report(summary);
      boolean isLost = console.out().checkError();
      summary.failures().forEach(console::say);
      return summary.hasFailed() || isLost ? ExitStatus.FAILED : ExitStatus.DONE;
    }
  }

  private RunSummary summary(Engine engine, Application application) {
    List<String> failures = new ArrayList<>();
    RunSummary summary;
    DropFile dropFile = null;
    try {
      application.wire(engine);
      dropFile = DropFile.start(drops, engine, application.graph());
      summary = watched(engine, application);
    } catch (Throwable e) { // An error of an element, too, leaves nothing open.
      close(engine, failures);
      application.finish();
      if (dropFile != null) {
        dropFile.finish(console);
      }
      throw e;
    }
    failures.addAll(summary.failures());
    close(engine, failures);
    failures.addAll(application.finish());
    if (dropFile != null) {
      failures.addAll(dropFile.finish(console));
    }
    return summary.withFailures(failures.stream().distinct().toList());
  }

  private RunSummary watched(Engine engine, Application application) {
    try (CpuReservation _ = CpuReservation.of(config.cpus());
        Dashboard _ = Watch.start(dashboard, engine, application, console)) {
      engine.start();
      long startNs = System.nanoTime();
      try (Progress _ = Progress.start(console, () -> bar(engine, application, startNs))) {
        await(engine, application, startNs);
      }
      application.ended();
      return engine.summary();
    }
  }

  private static void close(Engine engine, List<String> failures) {
    try {
      engine.close();
    } catch (RuntimeException e) {
      failures.add(String.valueOf(e.getMessage()));
      for (Throwable further : e.getSuppressed()) {
        failures.add(String.valueOf(further.getMessage()));
      }
    }
  }

  /** How far it is; "" if it goes on until somebody ends it, or says so in another way. */
  private String bar(Engine engine, Application application, long startNs) {
    if (isStatsWanted) {
      return "";
    }
    long elapsedNs = System.nanoTime() - startNs;
    String own = application.bar(elapsedNs);
    if (!own.isEmpty()) {
      return own;
    }
    RunSummary now = engine.summary();
    PacketCounts packets = now.packets();
    double part = Math.max(inputsDone(now.ports()), application.done(packets));
    if (duration.isPresent()) {
      part = Math.max(part, (double) elapsedNs / duration.get().toNanos());
    }
    String bar = part < 0 ? "" : Progress.bar(part, elapsedNs);
    long passed = Math.max(packets.received(), packets.sent());
    return bar.isEmpty() ? "" : bar + ", " + RateText.packets(passed * 1e9 / elapsedNs);
  }

  /** The part of its inputs that was read; -1 if there is one without an end. */
  private static double inputsDone(List<PortSummary> ports) {
    double read = 0;
    double all = 0;
    for (PortSummary port : ports) {
      Map<String, Long> statistics = port.statistics().extended();
      if (!statistics.containsKey(PortStatistics.INPUT_BYTES)
          && port.statistics().rxPackets() > 0) {
        return -1;
      }
      all += statistics.getOrDefault(PortStatistics.INPUT_BYTES, 0L);
      read += statistics.getOrDefault(PortStatistics.INPUT_READ_BYTES, 0L);
    }
    return all > 0 ? read / all : -1;
  }

  /** Says that it is up, if that is worth a line: what ends at once says what it did. */
  private void announce(Engine engine) {
    long atNs = Math.min(UP_NS, stats.toNanos());
    if (isQuiet || (duration.isPresent() && duration.get().toNanos() <= atNs)) {
      return;
    }
    if (!engine.awaitEnd(atNs / NS_PER_MS)) {
      String line = StartLine.of(engine, console.name());
      if (!line.isEmpty()) {
        console.say(line);
      }
    }
  }

  private void await(Engine engine, Application application, long startNs) {
    announce(engine);
    long endNs = duration.map(Duration::toNanos).orElse(Long.MAX_VALUE);
    long nextNs = isQuiet ? Long.MAX_VALUE : stats.toNanos();
    PacketCounts before = PacketCounts.NONE;
    long beforeNs = 0;
    while (true) {
      long elapsedNs = System.nanoTime() - startNs;
      if (elapsedNs >= endNs) {
        engine.stop();
        endNs = Long.MAX_VALUE;
      }
      if (elapsedNs >= nextNs) {
        PacketCounts now = engine.summary().packets();
        String line = application.progress(now, before, elapsedNs - beforeNs);
        if (!line.isEmpty()) {
          console.say(String.format(Locale.ROOT, "%.1f s: %s", elapsedNs / 1e9, line));
        }
        before = now;
        beforeNs = elapsedNs;
        nextNs += Math.max(stats.toNanos(), elapsedNs - nextNs);
      }
      long waitNs = Math.min(endNs, nextNs) - elapsedNs;
      if (engine.awaitEnd(Math.max(1, waitNs / NS_PER_MS))) {
        return;
      }
    }
  }
}
