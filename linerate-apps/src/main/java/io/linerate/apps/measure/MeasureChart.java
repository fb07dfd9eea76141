package io.linerate.apps.measure;

import io.linerate.core.config.ConfigException;
import io.linerate.core.config.PathText;
import io.linerate.core.port.PortException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.VectorGraphicsEncoder.VectorGraphicsFormat;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler.LegendPosition;

/**
 * The graph that RFC 2544, section 26.1 asks for: frame rate over frame size, beside the rate of
 * the line if it has one.
 */
final class MeasureChart {
  private static final int WIDTH_PIXELS = 900;
  private static final int HEIGHT_PIXELS = 540;

  private final Path file;
  private final boolean isSvg;

  /**
   * @throws ConfigException if its name ends neither in .png nor in .svg
   */
  MeasureChart(String file) {
    this.file = PathText.parse(file);
    isSvg = file.endsWith(".svg");
    if (!isSvg && !file.endsWith(".png")) {
      throw new ConfigException("no such chart: file=" + file + "; name it .png or .svg");
    }
  }

  void write(List<SizeResult> results, double lineBps) {
    System.setProperty("java.awt.headless", "true");
    try {
      XYChart chart = chart(results, lineBps);
      if (isSvg) {
        VectorGraphicsEncoder.saveVectorGraphic(chart, file.toString(), VectorGraphicsFormat.SVG);
      } else {
        BitmapEncoder.saveBitmap(chart, file.toString(), BitmapFormat.PNG);
      }
    } catch (IOException e) {
      throw new PortException(
          "cannot write the chart: file=" + file + ", reason=" + e.getMessage(), e);
    }
  }

  private static XYChart chart(List<SizeResult> results, double lineBps) {
    XYChart chart =
        new XYChartBuilder()
            .width(WIDTH_PIXELS)
            .height(HEIGHT_PIXELS)
            .title("Throughput (RFC 2544, section 26.1)")
            .xAxisTitle("frame size in bytes")
            .yAxisTitle("frames in a second, millions")
            .build();
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
