package io.linerate.bench.suite;

import java.util.List;

/**
 * A chart of the report: lines over numbers, or bars over words.
 *
 * @param file name of its file without ending, such as {@code capture-frame-sizes}
 * @param title over it
 * @param xLabel with the unit
 * @param yLabel with the unit
 * @param logX whether the x axis is logarithmic; lines only
 * @param categories what the bars are about; empty for lines
 * @param series what is drawn
 */
public record Chart(
    String file,
    String title,
    String xLabel,
    String yLabel,
    boolean logX,
    List<String> categories,
    List<Series> series) {
  /**
   * One line, or the bars of one colour.
   *
   * @param label in the legend
   * @param x where the points are; for bars, empty
   * @param y as many as points or categories
   * @param isTheirs whether others measured it, on other machines: drawn differently
   */
  public record Series(String label, List<Double> x, List<Double> y, boolean isTheirs) {
    public Series {
      x = List.copyOf(x);
      y = List.copyOf(y);
    }
  }

  public Chart {
    categories = List.copyOf(categories);
    series = List.copyOf(series);
  }

  public static Chart lines(
      String file, String title, String xLabel, String yLabel, List<Series> series) {
    return new Chart(file, title, xLabel, yLabel, false, List.of(), series);
  }

  public static Chart bars(
      String file, String title, String yLabel, List<String> categories, List<Series> series) {
    return new Chart(file, title, "", yLabel, false, categories, series);
  }

  /** The same over a logarithmic x axis. */
  public Chart withLogX() {
    return new Chart(file, title, xLabel, yLabel, true, categories, series);
  }
}
