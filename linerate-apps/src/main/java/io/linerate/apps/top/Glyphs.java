package io.linerate.apps.top;

import java.util.ArrayList;
import java.util.List;

/** The characters that bars and charts are drawn with. */
enum Glyphs {
  UNICODE(" ▁▂▃▄▅▆▇█", " ▏▎▍▌▋▊▉█", "░"),

  /** For terminals that do not show others. */
  ASCII(" _.-:=+*#", " ...--==#", ".");

  private static final int EIGHTHS = 8;

  private final String heights;
  private final String widths;
  private final String empty;

  Glyphs(String heights, String widths, String empty) {
    this.heights = heights;
    this.widths = widths;
    this.empty = empty;
  }

  /** A bar of so many columns, filled to a part. */
  String bar(double part, int columns) {
    long eighths = Math.round(Math.clamp(part, 0.0, 1.0) * columns * EIGHTHS);
    int full = (int) (eighths / EIGHTHS);
    StringBuilder bar = new StringBuilder(columns);
    bar.repeat(widths.charAt(EIGHTHS), full);
    if (eighths % EIGHTHS != 0) {
      bar.append(widths.charAt((int) (eighths % EIGHTHS)));
    }
    return bar.repeat(empty, columns - bar.length()).toString();
  }

  /**
   * Columns as high as numbers are, from the top row down.
   *
   * @param most the number that fills all rows
   */
  List<String> chart(double[] values, double most, int rows) {
    List<String> lines = new ArrayList<>();
    for (int row = rows - 1; row >= 0; row--) {
      StringBuilder line = new StringBuilder(values.length);
      for (double value : values) {
        long eighths = most > 0 ? Math.round(value / most * rows * EIGHTHS) : 0;
        // What is not nothing is seen.
        eighths = value > 0 ? Math.max(1, eighths) : eighths;
        line.append(heights.charAt(Math.clamp(eighths - (long) row * EIGHTHS, 0, EIGHTHS)));
      }
      lines.add(line.toString());
    }
    return lines;
  }
}
