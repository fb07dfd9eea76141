package io.linerate.apps.top;

import static org.jline.utils.AttributedStyle.BOLD;
import static org.jline.utils.AttributedStyle.DEFAULT;
import static org.jline.utils.AttributedStyle.INVERSE;

import io.linerate.apps.programs.UpTime;
import io.linerate.core.counter.ProgramInfo;
import io.linerate.program.run.TerminalText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jline.utils.AttributedString;
import org.jline.utils.AttributedStyle;

/**
 * The list of programs to choose from, as lines.
 *
 * @param note what is to be said besides
 */
record ProgramListPage(List<Watched> programs, Controls controls, String note) {
  private static final int NAME = 24;
  private static final int NUMBER = 10;
  private static final int UP = 14;

  /** The lines of a screen, from its top. */
  List<AttributedString> lines(int columns, int rows) {
    List<AttributedString> lines = new ArrayList<>();
    lines.add(
        new Cells(columns)
            .part(" programs: " + programs.size(), INVERSE)
            .part(controls.isPaused() ? "held" : controls.order().toString())
            .part(TerminalText.of(note))
            .line(INVERSE));
    int left = rows - 2;
    if (controls.isHelp()) {
      lines.addAll(Page.help(columns, Math.max(0, left)));
    } else if (left > 1) {
      lines.addAll(list(columns).lines(left));
    }
    while (lines.size() < rows - 1) {
      lines.add(AttributedString.EMPTY);
    }
    lines.add(
        new Cells(columns)
            .part(" q quit", DEFAULT)
            .part("h help")
            .part("arrows, Enter open")
            .part("n r d sort")
            .line(INVERSE));
    return lines.subList(0, Math.min(rows, lines.size()));
  }

  private Section list(int columns) {
    List<AttributedString> items = new ArrayList<>();
    int focus = 0;
    Optional<Watched> chosen = chosen();
    for (Watched program : ordered()) {
      boolean isChosen = chosen.filter(program::equals).isPresent();
      focus = isChosen ? items.size() : focus;
      items.add(row(program.seen(), isChosen, columns));
    }
    return new ListSection(
        "PROGRAM",
        title ->
            new Cells(columns)
                .left(" " + title, NAME, BOLD)
                .right("process", NUMBER)
                .right("rx p/s", NUMBER)
                .right("tx p/s", NUMBER)
                .right("lost/s", NUMBER)
                .right("lost", NUMBER)
                .right("up", UP)
                .line(),
        items,
        focus);
  }

  private static AttributedString row(Following program, boolean isChosen, int columns) {
    Pace lost = program.lost();
    AttributedStyle style = lost.isGrowing() ? BOLD.foreground(AttributedStyle.RED) : DEFAULT;
    Cells cells =
        new Cells(columns)
            .left((isChosen ? ">" : " ") + TerminalText.of(program.name()), NAME)
            .right(String.valueOf(program.program().pid()), NUMBER)
            .right(Figures.brief(program.received().perSecond()), NUMBER)
            .right(Figures.brief(program.sent().perSecond()), NUMBER)
            .right(Figures.brief(lost.perSecond()), NUMBER, style)
            .right(Figures.brief((double) lost.total()), NUMBER)
            .right(UpTime.text(program.now().timeMs() - program.program().startedMs()), UP);
    return isChosen ? cells.line(DEFAULT.inverse()) : cells.line();
  }

  private List<Watched> ordered() {
    return programs.stream()
        .sorted((one, other) -> controls.order().ranked().compare(one.seen(), other.seen()))
        .toList();
  }

  /** What stands for each program among the user's choices, in the order of the list. */
  List<String> keys() {
    return ordered().stream().map(ProgramListPage::key).toList();
  }

  private static String key(Watched program) {
    ProgramInfo info = program.reader().program();
    return info.pid() + " " + info.startedMs() + " " + info.name();
  }

  /** The one that the user has marked; the first if none is. */
  Optional<Watched> chosen() {
    List<Watched> all = ordered();
    return all.stream()
        .filter(program -> key(program).equals(controls.chosen()))
        .findFirst()
        .or(() -> all.stream().findFirst());
  }
}
