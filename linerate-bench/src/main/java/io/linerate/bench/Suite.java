package io.linerate.bench;

import io.linerate.bench.report.CpuTimes;
import io.linerate.bench.report.Noise;
import io.linerate.bench.report.Section;
import io.linerate.bench.suite.Benchmark;
import io.linerate.bench.suite.SkipException;
import io.linerate.program.run.Console;
import io.linerate.program.run.Progress;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/** Runs benchmarks one after the other and collects what they hand in. */
final class Suite {
  private static final int LOOK_MS = 300;

  private final Console console;
  private final Effort effort;
  private final int cpu;
  private final Path twins;

  Suite(Console console, Effort effort, int cpu, Path twins) {
    this.console = console;
    this.effort = effort;
    this.cpu = cpu;
    this.twins = twins;
  }

  /** What is done with the sections that there are until now. */
  @FunctionalInterface
  interface Sink {
    void write(List<Section> sections) throws IOException;
  }

  /**
   * Runs them; one that fails leaves the others alone.
   *
   * @param sink called after each of them: an hour's work that is interrupted is not lost
   */
  List<Section> run(List<Benchmark> benchmarks, Sink sink)
      throws IOException, InterruptedException {
    List<Section> sections = new ArrayList<>();
    long allNs =
        benchmarks.stream().mapToLong(benchmark -> effort(benchmark).budget().toNanos()).sum();
    long startNs = System.nanoTime();
    AtomicReference<String> at = new AtomicReference<>("");
    try (Progress _ =
        Progress.start(
            console,
            () -> {
              long elapsedNs = System.nanoTime() - startNs;
              return at + " " + Progress.bar((double) elapsedNs / allNs, elapsedNs);
            })) {
      for (Benchmark benchmark : benchmarks) {
        at.set("%s (%d of %d)".formatted(benchmark.name(), sections.size() + 1, benchmarks.size()));
        sections.add(run(benchmark));
        sink.write(sections);
      }
    }
    return sections;
  }

  private Effort effort(Benchmark benchmark) {
    return benchmark.startsFreshJvms() ? effort.withFreshJvms() : effort;
  }

  private Section run(Benchmark benchmark) throws IOException, InterruptedException {
    console.print(benchmark.name() + ": " + benchmark.summary());
    double foreignCpus = foreignCpus();
    CpuTimes before = CpuTimes.now();
    Optional<String> failure = Optional.empty();
    try (SuiteSession session =
        new SuiteSession(console, benchmark.name(), effort(benchmark), cpu, twins)) {
      try {
        benchmark.run(session);
      } catch (SkipException e) {
        session.skip("all", e.reason());
      } catch (IOException | RuntimeException e) {
        failure = Optional.of(e.toString());
        console.say(benchmark.name() + " failed: " + e);
      }
      Noise noise = new Noise(foreignCpus, CpuTimes.now().stealShare(before));
      noise.complaints().forEach(complaint -> session.say("too noisy: " + complaint));
      return session.section(benchmark.summary(), failure, noise);
    }
  }

  /** What others do while this does nothing. */
  private static double foreignCpus() throws InterruptedException {
    CpuTimes before = CpuTimes.now();
    Thread.sleep(LOOK_MS);
    return CpuTimes.now().busyShare(before) * Runtime.getRuntime().availableProcessors();
  }
}
