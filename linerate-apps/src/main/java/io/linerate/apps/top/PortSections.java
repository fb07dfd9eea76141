package io.linerate.apps.top;

import static org.jline.utils.AttributedStyle.BOLD;
import static org.jline.utils.AttributedStyle.DEFAULT;

import io.linerate.program.run.TerminalText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jline.utils.AttributedString;
import org.jline.utils.AttributedStyle;
import org.jspecify.annotations.Nullable;

/**
 * The list of ports, and what the device of one counts.
 *
 * @param width columns of the screen
 */
record PortSections(Following program, int width) {
  private static final int RATE = 8;
  private static final int TOTAL = 16;
  private static final int MOST_NAME = 24;
  private static final int STATISTIC = 32;
  private static final long BITS = 8;
  private static final AttributedStyle BAD = BOLD.foreground(AttributedStyle.RED);

  /**
   * All ports.
   *
   * @param chosen the one that is marked; null: none
   */
  Section ports(List<PortRow> rows, @Nullable String chosen) {
    int digits = String.valueOf(rows.size()).length();
    int longest = rows.stream().mapToInt(row -> Cells.columns(row.title())).max().orElse(0);
    int name = 1 + Math.clamp(longest, Math.max("PORT".length(), 3 * digits + 2), MOST_NAME);
    List<AttributedString> items = new ArrayList<>();
    int focus = 0;
    for (PortRow row : rows) {
      boolean isChosen = row.name().equals(chosen);
      focus = isChosen ? items.size() : focus;
      items.add(row(row, isChosen, name));
    }
    return new ListSection("PORT", title -> head(title, name), items, focus);
  }

  private AttributedString head(String title, int name) {
    return new Cells(width)
        .left(" " + title, name, BOLD)
        .right("rx p/s", RATE)
        .right("rx b/s", RATE)
        .right("tx p/s", RATE)
        .right("tx b/s", RATE)
        .right("miss/s", RATE)
        .right("err/s", RATE)
        .right("received", TOTAL)
        .right("sent", TOTAL)
        .right("missed", TOTAL)
        .right("errors", TOTAL)
        .line();
  }

  private AttributedString row(PortRow row, boolean isChosen, int name) {
    Cells cells =
        new Cells(width)
            .left(
                (isChosen ? ">" : " ") + TerminalText.of(row.title()),
                name,
                row.isDown() ? BAD : DEFAULT)
            .right(Figures.brief(row.received().perSecond()), RATE)
            .right(Figures.brief(BITS * row.receivedBytes().perSecond()), RATE)
            .right(Figures.brief(row.sent().perSecond()), RATE)
            .right(Figures.brief(BITS * row.sentBytes().perSecond()), RATE)
            .right(Figures.brief(row.missed().perSecond()), RATE, bad(row.missed()))
            .right(Figures.brief(row.errors().perSecond()), RATE, bad(row.errors()))
            .right(Figures.exact(row.received().total()), TOTAL)
            .right(Figures.exact(row.sent().total()), TOTAL)
            .right(Figures.exact(row.missed().total()), TOTAL)
            .right(Figures.exact(row.errors().total()), TOTAL);
    return isChosen ? cells.line(DEFAULT.inverse()) : cells.line();
  }

  private static AttributedStyle bad(Pace pace) {
    return pace.isGrowing() ? BAD : DEFAULT;
  }

  /** What the device of a port counts by its own names: first what is not zero. */
  Section device(PortRow port) {
    Comparator<Map.Entry<String, Pace>> order =
        Comparator.comparing((Map.Entry<String, Pace> entry) -> entry.getValue().total() == 0)
            .thenComparing(Map.Entry.comparingByKey());
    Map<String, Pace> statistics = new LinkedHashMap<>(device("total", port));
    statistics.putAll(device("flag", port));
    List<AttributedString> items =
        statistics.entrySet().stream()
            .sorted(order)
            .map(entry -> statistic(entry.getKey(), entry.getValue()))
            .toList();
    String address = TerminalText.of(port.address());
    return new ListSection(
        "DEVICE",
        title -> {
          Cells cells = new Cells(width).part(" " + title, BOLD).part(address);
          return (items.isEmpty() ? cells.part("counts nothing of its own") : cells).line();
        },
        items,
        0);
  }

  private Map<String, Pace> device(String what, PortRow port) {
    String name = "linerate_port_device_" + what;
    return program.interval().paces(table -> table.all(name, "port", port.name()), "statistic");
  }

  private AttributedString statistic(String name, Pace pace) {
    return new Cells(width)
        .left(" " + TerminalText.of(name), STATISTIC)
        .right(Figures.exact(pace.total()), TOTAL)
        .right(Figures.brief(pace.perSecond()) + "/s", RATE + 2)
        .line();
  }
}
