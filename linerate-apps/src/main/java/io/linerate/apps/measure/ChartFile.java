package io.linerate.apps.measure;

import io.linerate.core.config.ConfigException;
import io.linerate.core.config.PathText;
import io.linerate.core.port.PortException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.VectorGraphicsEncoder.VectorGraphicsFormat;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;

/** A file that a chart is written into: .png or .svg. */
public final class ChartFile {
  private static final int WIDTH_PIXELS = 900;
  private static final int HEIGHT_PIXELS = 540;

  private final Path file;
  private final boolean isSvg;

  /**
   * Names it; nothing is written yet.
   *
   * @throws ConfigException if its name ends neither in .png nor in .svg, or no file can be made
   *     where it is to be
   */
  public ChartFile(String file) {
    this.file = PathText.parse(file);
    isSvg = file.endsWith(".svg");
    if (!isSvg && !file.endsWith(".png")) {
      throw new ConfigException("no such chart: file=" + file + "; name it .png or .svg");
    }
    Path folder = this.file.toAbsolutePath().getParent();
    if (folder == null || !Files.isDirectory(folder) || !Files.isWritable(folder)) {
      throw new ConfigException(
          "no folder that a chart can be written into: file="
              + file
              + "; make the folder, or name another");
    }
  }

  /** A chart of its size, without series. */
  public static XYChart chart(String title, String xTitle, String yTitle) {
    System.setProperty("java.awt.headless", "true");
    return new XYChartBuilder()
        .width(WIDTH_PIXELS)
        .height(HEIGHT_PIXELS)
        .title(title)
        .xAxisTitle(xTitle)
        .yAxisTitle(yTitle)
        .build();
  }

  /**
   * Writes a chart.
   *
   * @throws PortException if the file cannot be written
   */
  public void write(XYChart chart) {
    try {
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
}
