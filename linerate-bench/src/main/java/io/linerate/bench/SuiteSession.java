package io.linerate.bench;

import io.linerate.bench.report.Noise;
import io.linerate.bench.report.Section;
import io.linerate.bench.suite.Chart;
import io.linerate.bench.suite.Installation;
import io.linerate.bench.suite.Result;
import io.linerate.bench.suite.Session;
import io.linerate.bench.suite.SkipException;
import io.linerate.program.run.Console;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The session of one benchmark. */
final class SuiteSession implements Session, AutoCloseable {
  private final Console console;
  private final String name;
  private final Effort effort;
  private final int cpu;
  private final Path twins;
  private final Path folder;
  private final Installation installation = Installation.find();
  private final long startNs = System.nanoTime();
  private final List<Result> results = new ArrayList<>();
  private final List<Chart> charts = new ArrayList<>();
  private final List<String> conclusions = new ArrayList<>();
  private final Map<String, String> skipped = new LinkedHashMap<>();

  SuiteSession(Console console, String name, Effort effort, int cpu, Path twins)
      throws IOException {
    this.console = console;
    this.name = name;
    this.effort = effort;
    this.cpu = cpu;
    this.twins = twins;
    folder = Files.createTempDirectory("linerate-bench-" + name);
  }

  @Override
  public boolean quick() {
    return effort.quick();
  }

  @Override
  public Duration budget() {
    return effort.budget();
  }

  @Override
  public Duration left() {
    Duration left = effort.budget().minusNanos(System.nanoTime() - startNs);
    return left.isNegative() ? Duration.ZERO : left;
  }

  @Override
  public int pairs() {
    return effort.pairs();
  }

  @Override
  public int jvms() {
    return effort.jvms();
  }

  @Override
  public int cpu() {
    return cpu;
  }

  @Override
  public int otherCpu() {
    return cpu > 0 ? 0 : Math.min(1, Runtime.getRuntime().availableProcessors() - 1);
  }

  @Override
  public Path twin(String program) {
    Path file = twins.resolve(program);
    if (!Files.exists(file)) {
      throw new SkipException(
          "no C twin: file="
              + file
              + "; install gcc, libdpdk-dev and libfabric-dev, and build again");
    }
    return file;
  }

  @Override
  public Path folder() {
    return folder;
  }

  @Override
  public List<String> javaCommand(String mainClass, String... jvmOptions) {
    List<String> words = new ArrayList<>();
    words.add(ProcessHandle.current().info().command().orElse("java"));
    words.addAll(Installation.JVM_FLAGS);
    installation.cache().ifPresent(cache -> words.add("-XX:AOTCache=" + cache));
    words.addAll(List.of(jvmOptions));
    words.addAll(List.of("-cp", System.getProperty("java.class.path"), mainClass));
    return words;
  }

  @Override
  public void say(String line) {
    console.print("  " + line);
  }

  @Override
  public boolean wants(String caseName) {
    return caseName.contains(effort.caseText());
  }

  @Override
  public void add(Result result) {
    results.add(result);
    StringBuilder line = new StringBuilder(String.format("%-58s", result.caseName()));
    result.contestants().forEach((who, rates) -> line.append(cell(who, rates.median())));
    result.ratioText().ifPresent(text -> line.append("  " + result.ratioOf() + " " + text));
    say(line + " " + result.unit());
  }

  private static String cell(String what, double value) {
    return String.format(Locale.ROOT, "  %s %.4g", what, value);
  }

  @Override
  public void add(Chart chart) {
    charts.add(chart);
  }

  @Override
  public void conclude(String sentence) {
    conclusions.add(sentence);
    say(sentence);
  }

  @Override
  public void skip(String caseName, String reason) {
    skipped.put(caseName, reason);
    say(caseName + " skipped: " + reason);
  }

  /** What was handed in. */
  Section section(String summary, Optional<String> failure, Noise noise) {
    double seconds = (System.nanoTime() - startNs) / 1e9;
    return new Section(
        name, summary, results, charts, conclusions, skipped, failure, noise, seconds);
  }

  @Override
  public void close() {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot delete: folder=" + folder + ", name=" + name, e);
    }
  }
}
