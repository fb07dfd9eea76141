package io.linerate.apps.top;

import org.jline.utils.AttributedString;
import org.jline.utils.AttributedStringBuilder;
import org.jline.utils.AttributedStyle;

/**
 * A line of columns. Those that do not fit are left out whole, with all that come behind them: half
 * a number would be a wrong one. Only the first one is cut.
 */
final class Cells {
  private final int width;
  private final AttributedStringBuilder line = new AttributedStringBuilder();
  private int used;
  private boolean isFull;

  Cells(int width) {
    this.width = width;
  }

  /** A text on the left of so many columns. */
  Cells left(String text, int columns, AttributedStyle style) {
    return add(text, columns, true, style);
  }

  Cells left(String text, int columns) {
    return left(text, columns, AttributedStyle.DEFAULT);
  }

  /** A text on the right of so many columns. */
  Cells right(String text, int columns, AttributedStyle style) {
    return add(text, columns, false, style);
  }

  Cells right(String text, int columns) {
    return right(text, columns, AttributedStyle.DEFAULT);
  }

  /** A text of its own length, two columns behind what stands before it. */
  Cells part(String text, AttributedStyle style) {
    String gap = used == 0 ? "" : "  ";
    return add(gap + text, gap.length() + columns(text), true, style);
  }

  Cells part(String text) {
    return part(text, AttributedStyle.DEFAULT);
  }

  private Cells add(String text, int columns, boolean isLeft, AttributedStyle style) {
    int wanted = used == 0 ? Math.min(columns, width) : columns;
    if (isFull || used + wanted > width) {
      isFull = true;
      return this;
    }
    AttributedString cut = cut(text, wanted);
    String gap = " ".repeat(Math.max(0, wanted - cut.columnLength()));
    line.append(isLeft ? "" : gap).append(cut.toString(), style).append(isLeft ? gap : "");
    used += wanted;
    return this;
  }

  private static AttributedString cut(String text, int columns) {
    AttributedString whole = new AttributedString(text);
    return whole.columnLength() <= columns ? whole : whole.columnSubSequence(0, columns);
  }

  static int columns(String text) {
    return new AttributedString(text).columnLength();
  }

  /** The line, as long as it is. */
  AttributedString line() {
    return line.toAttributedString();
  }

  /** The line from one side to the other in one style. */
  AttributedString line(AttributedStyle style) {
    return new AttributedString(line + " ".repeat(Math.max(0, width - used)), style);
  }
}
