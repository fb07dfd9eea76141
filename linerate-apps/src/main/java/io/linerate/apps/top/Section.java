package io.linerate.apps.top;

import java.util.List;
import org.jline.utils.AttributedString;

/** A part of the screen, which can be drawn in more or fewer rows. */
interface Section {
  /** The rows that it has a use for. */
  int most();

  /**
   * What it looks like.
   *
   * @param rows 1 to {@link #most}; the first is its head
   */
  List<AttributedString> lines(int rows);
}
