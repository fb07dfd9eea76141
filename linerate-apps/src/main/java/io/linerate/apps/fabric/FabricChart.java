package io.linerate.apps.fabric;

import io.linerate.apps.measure.ChartFile;
import io.linerate.fabric.FabricAddress;
import java.util.List;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYSeries;

/** What was measured over the size of messages, both axes logarithmic. */
final class FabricChart {
  private final ChartFile file;

  FabricChart(String file) {
    this.file = new ChartFile(file);
  }

  void write(boolean isPing, FabricAddress peer, List<SizeRow> rows) {
    XYChart chart =
        ChartFile.chart(
            (isPing ? "Half round trip to " : "Bandwidth to ") + peer,
            "message in bytes",
            isPing ? "us" : "MB/s");
    chart.getStyler().setXAxisLogarithmic(true);
    chart.getStyler().setYAxisLogarithmic(true);
    List<Double> sizes = rows.stream().map(row -> (double) Math.max(1, row.bytes())).toList();
    if (isPing) {
      XYSeries _ = chart.addSeries("median", sizes, us(rows, 50));
      XYSeries _ = chart.addSeries("99 %", sizes, us(rows, 99));
    } else {
      XYSeries _ =
          chart.addSeries(
              "one direction",
              sizes,
              rows.stream().map(row -> Math.max(1e-3, row.bytesPerSecond() / 1e6)).toList());
    }
    file.write(chart);
  }

  private static List<Double> us(List<SizeRow> rows, double percentile) {
    return rows.stream().map(row -> Math.max(1e-3, row.us(percentile))).toList();
  }
}
