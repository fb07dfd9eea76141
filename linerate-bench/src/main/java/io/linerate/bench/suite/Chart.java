package io.linerate.bench.suite;

import java.util.List;

/**
 * A chart of the report: lines over numbers.
 *
 * @param file name of its file without ending, such as {@code capture-frame-sizes}
 * @param title over it
 * @param xLabel with the unit
 * @param yLabel with the unit
 * @param logX whether the x axis is logarithmic
 * @param series what is drawn
 */
public record Chart(
    String file, String title, String xLabel, String yLabel, boolean logX, List<Series> series) {
  /**
   * One line.
   *
   * @param label in the legend
   * @param x where the points are
   * @param y as many
   */
  public record Series(String label, List<Double> x, List<Double> y) {
    public Series {
      x = List.copyOf(x);
      y = List.copyOf(y);
    }
  }

  public Chart {
    series = List.copyOf(series);
  }

  public static Chart lines(
      String file, String title, String xLabel, String yLabel, List<Series> series) {
    return new Chart(file, title, xLabel, yLabel, false, series);
  }

  /** The same over a logarithmic x axis. */
  public Chart withLogX() {
    return new Chart(file, title, xLabel, yLabel, true, series);
  }
}
