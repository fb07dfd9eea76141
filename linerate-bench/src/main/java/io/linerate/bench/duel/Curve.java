package io.linerate.bench.duel;

import io.linerate.bench.suite.Chart;
import io.linerate.bench.suite.Result;
import io.linerate.bench.suite.Spread;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Results over one quantity, such as the frame size: a line for each contestant.
 *
 * @param x the quantity's values
 * @param results as many
 */
public record Curve(List<Double> x, List<Result> results) {
  public Curve() {
    this(new ArrayList<>(), new ArrayList<>());
  }

  public void add(double at, Result result) {
    x.add(at);
    results.add(result);
  }

  /** Adds where x stays in ascending order. */
  public void addInOrder(double at, Result result) {
    int place = 0;
    while (place < x.size() && x.get(place) < at) {
      place++;
    }
    x.add(place, at);
    results.add(place, result);
  }

  /** The medians of each contestant. */
  public List<Chart.Series> series(String prefix) {
    Set<String> names = new LinkedHashSet<>();
    results.forEach(result -> names.addAll(result.contestants().keySet()));
    return names.stream().map(name -> line(prefix, name)).toList();
  }

  private Chart.Series line(String prefix, String name) {
    List<Double> at = new ArrayList<>();
    List<Double> medians = new ArrayList<>();
    for (int i = 0; i < x.size(); i++) {
      Spread rates = results.get(i).contestants().get(name);
      if (rates != null) {
        at.add(x.get(i));
        medians.add(rates.median());
      }
    }
    return new Chart.Series(prefix + name, at, medians);
  }
}
