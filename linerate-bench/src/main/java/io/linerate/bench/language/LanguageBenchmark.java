package io.linerate.bench.language;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Algorithm 1 under JMH: an invocation is one of the thesis's runs, of 100,000 packets. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class LanguageBenchmark {
  static final int PACKETS = 100_000;

  /** The name of a {@link Language}. */
  @Param("C")
  String language = "C";

  private Program program = Language.C.program();

  @Setup
  public void choose() {
    program = Language.valueOf(language).program();
  }

  /** One run; its cost is divided by the number of packets. */
  @Benchmark
  @OperationsPerInvocation(PACKETS)
  public int run() {
    return program.run(PACKETS);
  }
}
