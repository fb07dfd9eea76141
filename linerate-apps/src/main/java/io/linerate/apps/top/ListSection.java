package io.linerate.apps.top;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jline.utils.AttributedString;

/**
 * A list below a head. When it has less room than rows, it shows those around one of them, and its
 * head says which.
 *
 * @param title of the list
 * @param head makes the head of the title, or of what is shown instead
 * @param focus number of the row that is seen in any case
 */
record ListSection(
    String title, Function<String, AttributedString> head, List<AttributedString> items, int focus)
    implements Section {
  @Override
  public int most() {
    return 1 + items.size();
  }

  @Override
  public List<AttributedString> lines(int rows) {
    int shown = Math.min(rows - 1, items.size());
    int from = Math.clamp((long) focus - shown / 2, 0, items.size() - shown);
    List<AttributedString> lines = new ArrayList<>();
    lines.add(
        head.apply(
            shown == items.size() || shown == 0
                ? title
                : (from + 1) + "-" + (from + shown) + "/" + items.size()));
    lines.addAll(items.subList(from, from + shown));
    return lines;
  }
}
