package io.linerate.apps.top;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jline.utils.AttributedString;
import org.jline.utils.AttributedStyle;

/**
 * Bars of rates below a head.
 *
 * @param title what they are rates of
 * @param width columns; each has a bar
 */
record ChartSection(String title, RateHistory history, Glyphs glyphs, int width)
    implements Section {
  private static final int MOST_ROWS = 4;
  private static final AttributedStyle BARS =
      AttributedStyle.DEFAULT.foreground(AttributedStyle.CYAN);

  @Override
  public int most() {
    return 1 + MOST_ROWS;
  }

  @Override
  public List<AttributedString> lines(int rows) {
    double[] values = history.newest(width);
    double most = Arrays.stream(values).max().orElse(0);
    List<AttributedString> lines = new ArrayList<>();
    lines.add(
        new Cells(width)
            .part(title, AttributedStyle.BOLD)
            .part("most " + Figures.brief(most) + "/s")
            .line());
    glyphs
        .chart(values, most, rows - 1)
        .forEach(bars -> lines.add(new AttributedString(bars, BARS)));
    return lines;
  }
}
