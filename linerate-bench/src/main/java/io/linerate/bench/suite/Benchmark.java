package io.linerate.bench.suite;

import java.io.IOException;

/**
 * One name of {@code linerate bench}. Add yours to the list in {@code io.linerate.bench.Main}.
 *
 * <p>It has {@link Session#budget} to itself, and keeps to it by making fewer cases and shorter
 * slices, not fewer pairs. What it cannot run here it hands in with {@link Session#skip}; an
 * exception is a failure of the run.
 */
public interface Benchmark {
  /** The word on the command line: one, in lower case. */
  String name();

  /** What it measures, in half a line. */
  String summary();

  /** Whether most cases start {@link Session#jvms} JVMs: the budget is as many times as long. */
  default boolean startsFreshJvms() {
    return false;
  }

  /** Runs all cases, and hands each in as soon as it is there. */
  void run(Session session) throws IOException, InterruptedException;
}
