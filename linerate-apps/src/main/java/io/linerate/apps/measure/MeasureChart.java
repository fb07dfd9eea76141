package io.linerate.apps.measure;

import java.util.ArrayList;
import java.util.List;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler.LegendPosition;

/**
 * The graph that RFC 2544, section 26.1 asks for: frame rate over frame size, beside the rate of
 * the line if it has one.
 */
final class MeasureChart {
  private final ChartFile file;

  /**
   * @throws io.linerate.core.config.ConfigException if its name ends neither in .png nor in .svg
   */
  MeasureChart(String file) {
    this.file = new ChartFile(file);
  }

  void write(List<SizeResult> results, double lineBps) {
    file.write(chart(results, lineBps));
  }

  private static XYChart chart(List<SizeResult> results, double lineBps) {
    XYChart chart =
        ChartFile.chart(
            "Throughput (RFC 2544, section 26.1)",
            "frame size in bytes",
            "frames in a second, millions");
    chart.getStyler().setLegendPosition(LegendPosition.InsideNE);
    chart.getStyler().setYAxisMin(0.0);
    List<Double> sizes = results.stream().map(it -> (double) it.frameBytes()).toList();
    List<Double> spreads = new ArrayList<>();
    results.forEach(it -> spreads.add(it.throughputPps() * it.spreadPercent() / 200e6));
    List<Double> rates = results.stream().map(it -> it.throughputPps() / 1e6).toList();
    XYSeries _ = chart.addSeries("measured", sizes, rates, spreads);
    if (lineBps < Double.POSITIVE_INFINITY) {
      List<Double> most =
          results.stream()
              .map(it -> MeasureReport.linePps(lineBps, it.frameBytes()) / 1e6)
              .toList();
      XYSeries _ = chart.addSeries("line", sizes, most);
    }
    return chart;
  }
}
