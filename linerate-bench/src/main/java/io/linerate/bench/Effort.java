package io.linerate.bench;

import java.time.Duration;

/**
 * How thorough a run is.
 *
 * @param quick whether figures in seconds are wanted rather than good ones
 * @param budget for each benchmark
 * @param pairs of slices for a case, with each JVM
 * @param jvms fresh ones for a case of benchmarks that start such
 * @param caseText only cases whose name has it
 */
record Effort(boolean quick, Duration budget, int pairs, int jvms, String caseText) {
  /** For a benchmark that starts all its JVMs in each case. */
  Effort withFreshJvms() {
    return new Effort(quick, budget.multipliedBy(jvms), pairs, jvms, caseText);
  }
}
