package io.linerate.bench.report;

import io.linerate.bench.suite.Chart;
import io.linerate.bench.suite.Result;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What one benchmark handed in.
 *
 * @param name of the benchmark
 * @param summary what it measures
 * @param results in the order in which they came
 * @param conclusions sentences
 * @param skipped the reason for each case that could not be measured
 * @param failure what ended it early
 * @param noise the machine before and meanwhile
 * @param seconds that it took
 */
public record Section(
    String name,
    String summary,
    List<Result> results,
    List<Chart> charts,
    List<String> conclusions,
    Map<String, String> skipped,
    Optional<String> failure,
    Noise noise,
    double seconds) {
  public Section {
    results = List.copyOf(results);
    charts = List.copyOf(charts);
    conclusions = List.copyOf(conclusions);
  }
}
