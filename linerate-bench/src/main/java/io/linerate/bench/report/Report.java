package io.linerate.bench.report;

import io.linerate.bench.suite.Chart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Writes all files of a report. */
public final class Report {
  private Report() {}

  /**
   * Writes them; a chart that cannot be drawn is left out, with a message on standard error.
   *
   * @param folder made if it is not there
   */
  public static void write(Path folder, Machine machine, List<Section> sections)
      throws IOException {
    Files.createDirectories(folder);
    ResultsJson.write(folder.resolve("results.json"), machine, sections);
    Set<String> drawn = new LinkedHashSet<>();
    for (Section section : sections) {
      for (Chart chart : section.charts()) {
        if (draw(chart, folder)) {
          drawn.add(chart.file());
        }
      }
    }
    Files.writeString(folder.resolve("report.md"), MarkdownReport.of(machine, sections, drawn));
  }

  private static boolean draw(Chart chart, Path folder) throws IOException {
    try {
      ChartImages.write(chart, folder);
      return true;
    } catch (RuntimeException | Error e) { // Without fonts, AWT throws either.
      System.err.println(
          "linerate: chart cannot be drawn: chart="
              + chart.file()
              + ", error="
              + e
              + "; install fontconfig and fonts-dejavu-core");
      return false;
    }
  }
}
