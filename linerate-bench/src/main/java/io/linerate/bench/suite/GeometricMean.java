package io.linerate.bench.suite;

import java.util.List;
import java.util.Locale;

/** The usual mean of ratios: of 2 and 1/2 it is 1. */
public final class GeometricMean {
  private GeometricMean() {}

  public static double of(List<Double> ratios) {
    return Math.exp(ratios.stream().mapToDouble(Math::log).average().orElse(Double.NaN));
  }

  /** "WHAT: geometric mean of the ratios 0.98 over 7 cases, lowest 0.95 (CASE)". */
  public static String sentence(String what, List<Result> results) {
    List<Double> ratios =
        results.stream().flatMap(r -> r.ratio().stream()).map(Spread::median).toList();
    Result lowest =
        results.stream()
            .filter(r -> r.ratio().isPresent())
            .min((a, b) ->
                Double.compare(a.ratio().orElseThrow().median(), b.ratio().orElseThrow().median()))
            .orElseThrow();
    return String.format(
        Locale.ROOT,
        "%s: geometric mean of the ratios %.3f over %d cases, lowest %.3f (%s)",
        what,
        of(ratios),
        ratios.size(),
        lowest.ratio().orElseThrow().median(),
        lowest.caseName());
  }
}
