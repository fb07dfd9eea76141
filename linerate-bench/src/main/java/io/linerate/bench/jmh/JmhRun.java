package io.linerate.bench.jmh;

import io.linerate.bench.suite.Session;
import io.linerate.bench.suite.Spread;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.NoBenchmarksException;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs the benchmark methods of a class, each with each set of parameters in a JVM of its own.
 *
 * <p>A quick session has no time for that many JVMs: there all of them run in this one, where what
 * the compiler learned of one may be in the way of the next.
 */
public final class JmhRun {
  private static final String ALLOCATED = "gc.alloc.rate.norm";

  private final Session session;
  private final Class<?> type;
  private final JmhEffort effort;
  private final Map<String, String> properties = new LinkedHashMap<>();
  private final Map<String, List<String>> parameters = new LinkedHashMap<>();
  private final List<String> methods = new ArrayList<>();
  private int operations;

  public JmhRun(Session session, Class<?> type, JmhEffort effort) {
    this.session = session;
    this.type = type;
    this.effort = effort;
  }

  /** Sets a system property for the JVMs. */
  public JmhRun property(String name, String value) {
    properties.put(name, value);
    return this;
  }

  /** The values of a parameter. */
  public JmhRun parameter(String name, Collection<String> values) {
    parameters.put(name, List.copyOf(values));
    return this;
  }

  /** Only methods whose names match one of these patterns; all, when there is none. */
  public JmhRun methods(Collection<String> patterns) {
    methods.addAll(patterns);
    return this;
  }

  /** Operations in an invocation, if not as annotated. */
  public JmhRun operations(int count) {
    operations = count;
    return this;
  }

  /** Measures; the order is that of JMH. */
  public List<Timing> run() throws IOException {
    Map<String, Timing> all = new LinkedHashMap<>();
    if (session.quick()) {
      properties.forEach(System::setProperty);
    }
    try {
      for (int round = 0; round < effort.rounds(); round++) {
        for (RunResult result : results()) {
          Timing timing = timing(result);
          all.merge(timing.method() + timing.parameters(), timing, JmhRun::together);
        }
      }
    } catch (RunnerException e) {
      throw new IOException("JMH failed: class=" + type.getName() + ", reason=" + e, e);
    }
    return List.copyOf(all.values());
  }

  private Collection<RunResult> results() throws RunnerException {
    try {
      return new Runner(options()).run();
    } catch (NoBenchmarksException e) {
      return List.of();
    }
  }

  private Options options() {
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .forks(session.quick() ? 0 : 1)
            .warmupIterations(effort.warmUps())
            .warmupTime(effort.warmUpTime())
            .measurementIterations(effort.iterations())
            .measurementTime(effort.iterationTime())
            .addProfiler(GCProfiler.class)
            .shouldFailOnError(true)
            .verbosity(VerboseMode.SILENT)
            .jvmArgs(jvmArguments());
    include(options);
    parameters.forEach((name, values) -> options.param(name, values.toArray(String[]::new)));
    if (operations > 0) {
      options.operationsPerInvocation(operations);
    }
    return options.build();
  }

  private void include(ChainedOptionsBuilder options) {
    String prefix = type.getName().replace(".", "\\.") + "\\.";
    if (methods.isEmpty()) {
      options.include(prefix);
    }
    methods.forEach(method -> options.include(prefix + method + "$"));
  }

  private String[] jvmArguments() {
    List<String> words = new ArrayList<>();
    words.addAll(List.of("-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED"));
    words.add("--sun-misc-unsafe-memory-access=allow");
    properties.forEach((name, value) -> words.add("-D" + name + "=" + value));
    return words.toArray(String[]::new);
  }

  private static Timing timing(RunResult result) {
    BenchmarkParams params = result.getParams();
    Map<String, String> values = new HashMap<>();
    params.getParamsKeys().forEach(key -> values.put(key, params.getParam(key)));
    String name = params.getBenchmark();
    Result<?> allocated = result.getSecondaryResults().get(ALLOCATED);
    return new Timing(
        name.substring(name.lastIndexOf('.') + 1),
        values,
        new Spread(samples(result)),
        allocated == null ? 0 : allocated.getScore());
  }

  private static double[] samples(RunResult result) {
    List<Double> scores = new ArrayList<>();
    for (BenchmarkResult fork : result.getBenchmarkResults()) {
      fork.getIterationResults()
          .forEach(iteration -> scores.add(iteration.getPrimaryResult().getScore()));
    }
    return scores.stream().mapToDouble(Double::doubleValue).toArray();
  }

  private static Timing together(Timing first, Timing second) {
    double[] samples =
        DoubleStream.concat(
                DoubleStream.of(first.ns().samples()), DoubleStream.of(second.ns().samples()))
            .toArray();
    return new Timing(
        first.method(),
        first.parameters(),
        new Spread(samples),
        Math.max(first.heapBytes(), second.heapBytes()));
  }
}
