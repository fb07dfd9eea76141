package io.linerate.apps.measure;

import io.linerate.apps.generate.Rate;
import io.linerate.apps.generate.TrafficStream;
import io.linerate.apps.generate.Trials;
import io.linerate.core.config.ConfigException;
import io.linerate.core.config.Configuration;
import io.linerate.core.config.EngineConfig;
import io.linerate.core.config.Idle;
import io.linerate.core.config.NumberText;
import io.linerate.core.port.PortException;
import io.linerate.core.worker.CpuReservation;
import io.linerate.core.worker.StopSignal;
import io.linerate.dashboard.Dashboard;
import io.linerate.dashboard.DashboardSettings;
import io.linerate.program.run.Command;
import io.linerate.program.run.Console;
import io.linerate.program.run.ExitStatus;
import io.linerate.program.run.Options;
import io.linerate.program.run.Progress;
import io.linerate.program.run.Watch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code linerate measure}. */
public final class MeasureCommand implements Command {
  /** RFC 2544, section 9.1: sizes for Ethernet. */
  private static final String SIZES = "64,128,256,512,1024,1280,1518";

  /** RFC 2544, section 24: trials of the final result last 60 seconds at least. */
  private static final Duration TRIAL = Duration.ofSeconds(60);

  /** RFC 2544, section 23 e): five seconds for the device to settle. */
  private static final Duration SETTLE = Duration.ofSeconds(5);

  private static final int SETTLE_PART = 12;
  private static final int MAX_SIZE = 9_522;
  private static final int MIN_SIZE = 64;

  @Override
  public CommandSpec spec() {
    return Options.command(
        "measure",
        """
        Measures a device between two ports, as RFC 2544 says.

        Usage: linerate measure --throughput|--latency --tx ADDRESS --rx ADDRESS [OPTIONS]

        The device forwards what it gets at one port to the other. docs/generate.md says how trials are run.

        --throughput  Search the highest rate without loss for each frame size (26.1).
        --latency  Measure the delay at that rate as well (26.2), of every frame.
        --tx ADDRESS, --rx ADDRESS  Ports towards the device, and where packets come back.
        --sizes LIST  Frame sizes with check sequence; 64,128,256,512,1024,1280,1518 if not said.
        --trial TIME  Length of a trial, 60s if not said, as the RFC asks.
        --loss PERCENT  Loss that still passes, 0 if not said.
        --resolution PERCENT  Where a search ends, 1 if not said.
        --searches N  Searches for each size, 1 if not said: shows their spread.
        --repeats N  How often a trial that lost is run again before it counts, 2 if not said.
        --line RATE  Rate of the line on layer 1, such as 10Gbps: none exceeds it.
        --stream TEXT  The packets, such as "src=10.0.0.0/24 dstport=80".
        --chart FILE  Draw the rates, as .png or .svg.
        --set --filter --json --dashboard --dashboard-tls --dashboard-open

        linerate measure --throughput --tx dpdk:0000:03:00.0 --rx dpdk:0000:03:00.1 --line 10Gbps
        linerate measure --latency --tx packet:a --rx packet:b --trial 2s --searches 3 --chart rates.png
        """);
  }

  @Override
  public int run(ParseResult options, Console console) {
    boolean isLatency = options.matchedOptionValue("--latency", false);
    if (!isLatency && !options.matchedOptionValue("--throughput", false)) {
      throw new ConfigException("nothing to measure; write --throughput or --latency");
    }
    String tx = required(options, "--tx");
    String rx = required(options, "--rx");
    List<Integer> sizes = sizes(options.matchedOptionValue("--sizes", SIZES));
    List<TrafficStream> streams = streams(options, sizes);
    Duration trial = Options.duration(options, "--trial").orElse(TRIAL);
    double lineBps = lineBps(options);
    String chartFile = options.matchedOptionValue("--chart", null);
    MeasureChart chart = chartFile == null ? null : new MeasureChart(chartFile);
    List<Measurement.Task> tasks =
        sizes.stream().map(size -> task(options, isLatency, trial, lineBps, size)).toList();
    HostNoise noise = new HostNoise();
    List<SizeResult> results = new ArrayList<>();
    Optional<DashboardSettings> dashboard = Options.dashboard(options);
    String failure =
        measure(config(options), dashboard, tx, rx, sizes, streams, tasks, results, console);
    MeasureReport report =
        new MeasureReport(
            tx, rx, trial, results, lineBps, noise.stealPercent(), noise.waitPercent());
    if (Options.isJson(options)) {
      report.writeJson(console.out());
    } else {
      report.print(console.out());
    }
    if (chart != null && !results.isEmpty()) {
      chart.write(results, lineBps);
    }
    console.out().flush();
    if (failure != null) {
      console.say(failure);
    }
    return failure == null ? ExitStatus.DONE : ExitStatus.FAILED;
  }

  /** Fills the results; returns what ended it early, or null. */
  private static @Nullable String measure(
      EngineConfig config,
      Optional<DashboardSettings> dashboard,
      String tx,
      String rx,
      List<Integer> sizes,
      List<TrafficStream> streams,
      List<Measurement.Task> tasks,
      List<SizeResult> results,
      Console console) {
    MeasureSamples samples = new MeasureSamples(sizes.size());
    int largest = sizes.stream().mapToInt(it -> it).max().orElseThrow();
    try (Trials trials = Trials.open(config, tx, rx, largest);
        CpuReservation _ = CpuReservation.of(config.cpus());
        Dashboard _ = Watch.start(dashboard, trials.engine(), null, console);
        StopSignal _ = StopSignal.install(trials::stop);
        Progress _ = Progress.start(console, samples::progress)) {
      trials.engine().source(samples);
      for (int i = 0; i < sizes.size(); i++) {
        Measurement measurement =
            new Measurement(
                trials, streams.get(i), sizes.get(i), tasks.get(i), samples, console::say);
        try {
          SizeResult result = measurement.run();
          samples.found(result);
          results.add(result);
        } catch (PortException e) {
          measurement.interrupted().ifPresent(results::add);
          throw e;
        }
      }
      return null;
    } catch (PortException e) {
      if (results.isEmpty()) {
        throw e;
      }
      return String.valueOf(e.getMessage());
    }
  }

  private static String required(ParseResult options, String name) {
    String value = options.matchedOptionValue(name, null);
    if (value == null) {
      throw new ConfigException(
          "a port is missing: option=" + name + "; write " + name + " ADDRESS");
    }
    return value;
  }

  private static EngineConfig config(ParseResult options) {
    EngineConfig defaults =
        EngineConfig.DEFAULT.withProgramName("measure").withIdle(Idle.BUSY_SPIN);
    return Configuration.of(Options.overrides(options), defaults).engine();
  }

  private static List<Integer> sizes(String text) {
    List<Integer> sizes = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      sizes.add(
          NumberText.read(part, MIN_SIZE, MAX_SIZE)
              .orElseThrow(() ->
                  new ConfigException(
                      "wrong value: --sizes %s; write sizes from %d to %d with commas between"
                          .formatted(text, MIN_SIZE, MAX_SIZE)))
              .intValue());
    }
    return sizes;
  }

  private static List<TrafficStream> streams(ParseResult options, List<Integer> sizes) {
    String text = options.matchedOptionValue("--stream", "");
    if (Stream.of(text.split("\\s+", -1))
        .anyMatch(it -> it.matches("(size|rate|replay|speed)=.*"))) {
      throw new ConfigException(
          "wrong value: --stream " + text + "; size and rate are what is measured, leave them out");
    }
    return sizes.stream()
        .map(size ->
            TrafficStream.of("trial", text + " size=" + size + " sequence=true timestamps=true"))
        .toList();
  }

  private static Measurement.Task task(
      ParseResult options, boolean isLatency, Duration trial, double lineBps, int size) {
    Duration settle = trial.dividedBy(SETTLE_PART);
    return new Measurement.Task(
        trial,
        settle.compareTo(SETTLE) < 0 ? settle : SETTLE,
        percent(options, "--loss", "0", 0),
        percent(options, "--resolution", "1", 0.01) / 100,
        (int) Options.number(options, "--searches", 1, 100, 1),
        (int) Options.number(options, "--repeats", 0, 100, 2),
        isLatency,
        MeasureReport.linePps(lineBps, size));
  }

  private static double percent(ParseResult options, String name, String missing, double least) {
    String text = options.matchedOptionValue(name, missing);
    String digits = text.endsWith("%") ? text.substring(0, text.length() - 1) : text;
    boolean isNumber = digits.matches("[0-9]{1,2}(\\.[0-9]{1,9})?");
    if (!isNumber || Double.parseDouble(digits) < least) {
      throw new ConfigException(
          "wrong value: %s %s; write per cent from %s to 99".formatted(name, text, least));
    }
    return Double.parseDouble(digits);
  }

  private static double lineBps(ParseResult options) {
    String text = options.matchedOptionValue("--line", null);
    if (text == null) {
      return Double.POSITIVE_INFINITY;
    }
    Rate rate = Rate.parse(text);
    if (rate.isMax() || rate.unit() == Rate.Unit.PPS) {
      throw new ConfigException("wrong value: --line " + text + "; write bits, such as 10Gbps");
    }
    return rate.perSecond();
  }
}
