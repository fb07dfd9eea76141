package io.linerate.bench.access;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Algorithm 2 under JMH: an invocation is one of the thesis's iterations. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class AccessBenchmark {
  /** Packets in an iteration of algorithm 2. */
  static final int PACKETS = 1_000_000;

  /** The name of a {@link Contender}. */
  @Param("C")
  String contender = "C";

  @Param("1000000")
  int packets = PACKETS;

  private Technique technique = Contender.C.technique();

  @Setup
  public void choose() {
    technique = Contender.valueOf(contender).technique();
  }

  /** One iteration; its cost is divided by the number of packets. */
  @Benchmark
  public long exchange() {
    return technique.run(packets);
  }
}
