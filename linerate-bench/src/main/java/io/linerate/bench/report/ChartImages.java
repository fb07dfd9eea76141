package io.linerate.bench.report;

import io.linerate.bench.suite.Chart;
import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.Styler;

/** Draws charts with XChart. */
final class ChartImages {
  private static final int WIDTH = 900;
  private static final int HEIGHT = 500;

  private ChartImages() {}

  /** Writes {@code FOLDER/FILE.png}. */
  static void write(Chart chart, Path folder) throws IOException {
    System.setProperty("java.awt.headless", "true");
    String file = folder.resolve(chart.file()).toString();
    BitmapEncoder.saveBitmap(lines(chart), file, BitmapEncoder.BitmapFormat.PNG);
  }

  private static XYChart lines(Chart chart) {
    XYChart drawing =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(chart.title())
            .xAxisTitle(chart.xLabel())
            .yAxisTitle(chart.yLabel())
            .build();
    style(drawing.getStyler());
    drawing.getStyler().setXAxisLogarithmic(chart.logX());
    if (!chart.logX()) {
      drawing.getStyler().setXAxisMin(0.0);
    }
    for (Chart.Series series : chart.series()) {
      drawing.addSeries(series.label(), series.x(), series.y());
    }
    return drawing;
  }

  private static void style(Styler styler) {
    styler.setChartBackgroundColor(Color.WHITE);
    styler.setLegendPosition(Styler.LegendPosition.OutsideE); // Below, XChart cuts a long row.
    if (styler instanceof org.knowm.xchart.style.AxesChartStyler axes) {
      axes.setYAxisMin(0.0);
      axes.setLocale(Locale.ROOT);
    }
  }
}
