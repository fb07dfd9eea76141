package io.linerate.apps.top;

import java.util.ArrayList;
import java.util.List;
import org.jline.utils.AttributedString;

/**
 * Shares the rows of a screen among its sections: first each gets its head and one row, the earlier
 * ones first; what is left goes round, row by row, to those that have a use for it.
 */
final class Layout {
  private static final int LEAST = 2;

  private Layout() {}

  /**
   * All sections, in so many rows at most.
   *
   * @param sections in the order in which they stand, and in which they matter
   */
  static List<AttributedString> lines(List<Section> sections, int rows) {
    int[] given = share(sections, rows);
    int used = 0;
    int shown = 0;
    for (int one : given) {
      used += one;
      shown += one > 0 ? 1 : 0;
    }
    boolean isRoomy = used + shown - 1 <= rows;
    List<AttributedString> lines = new ArrayList<>();
    for (int i = 0; i < given.length; i++) {
      if (given[i] > 0) {
        if (isRoomy && !lines.isEmpty()) {
          lines.add(AttributedString.EMPTY);
        }
        lines.addAll(sections.get(i).lines(given[i]));
      }
    }
    return lines;
  }

  private static int[] share(List<Section> sections, int rows) {
    int[] given = new int[sections.size()];
    int left = rows;
    for (int i = 0; i < given.length; i++) {
      int least = Math.min(LEAST, sections.get(i).most());
      if (least <= left) {
        given[i] = least;
        left -= least;
      }
    }
    boolean isChanged = true;
    while (isChanged) {
      isChanged = false;
      for (int i = 0; i < given.length && left > 0; i++) {
        if (given[i] > 0 && given[i] < sections.get(i).most()) {
          given[i]++;
          left--;
          isChanged = true;
        }
      }
    }
    return given;
  }
}
