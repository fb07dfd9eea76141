package io.linerate.bench;

import io.linerate.bench.report.CpuTimes;
import io.linerate.bench.report.Noise;
import io.linerate.bench.report.Section;
import io.linerate.bench.suite.Benchmark;
import io.linerate.bench.suite.SkipException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Runs benchmarks one after the other and collects what they hand in. */
final class Suite {
  private static final int LOOK_MS = 300;

  private final Effort effort;
  private final int cpu;
  private final Path twins;

  Suite(Effort effort, int cpu, Path twins) {
    this.effort = effort;
    this.cpu = cpu;
    this.twins = twins;
  }

  /** What is done with the sections that there are until now. */
  @FunctionalInterface
  interface Progress {
    void write(List<Section> sections) throws IOException;
  }

  /**
   * Runs them; one that fails leaves the others alone.
   *
   * @param progress called after each of them: an hour's work that is interrupted is not lost
   */
  List<Section> run(List<Benchmark> benchmarks, Progress progress)
      throws IOException, InterruptedException {
    List<Section> sections = new ArrayList<>();
    for (Benchmark benchmark : benchmarks) {
      sections.add(run(benchmark));
      progress.write(sections);
    }
    return sections;
  }

  private Section run(Benchmark benchmark) throws IOException, InterruptedException {
    System.out.println(benchmark.name() + ": " + benchmark.summary());
    double foreignCpus = foreignCpus();
    CpuTimes before = CpuTimes.now();
    Optional<String> failure = Optional.empty();
    Effort own = benchmark.startsFreshJvms() ? effort.withFreshJvms() : effort;
    try (SuiteSession session = new SuiteSession(benchmark.name(), own, cpu, twins)) {
      try {
        benchmark.run(session);
      } catch (SkipException e) {
        session.skip("all", e.reason());
      } catch (IOException | RuntimeException e) {
        failure = Optional.of(e.toString());
        System.err.println("linerate: " + benchmark.name() + " failed: " + e);
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
