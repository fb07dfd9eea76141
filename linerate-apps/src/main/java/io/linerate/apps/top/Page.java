package io.linerate.apps.top;

import static org.jline.utils.AttributedStyle.BOLD;
import static org.jline.utils.AttributedStyle.DEFAULT;
import static org.jline.utils.AttributedStyle.INVERSE;

import io.linerate.apps.programs.UpTime;
import io.linerate.core.counter.ProgramInfo;
import io.linerate.dashboard.state.SampleTable;
import io.linerate.program.run.TerminalText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jline.utils.AttributedString;
import org.jline.utils.AttributedStyle;

/** Everything on the screen, as lines. */
record Page(Following program, Controls controls, Glyphs glyphs) {
  /** From so many rows on there are lines that are no list. */
  private static final int ROOMY = 12;

  private static final int FOOT = 4;
  private static final int MINUTE = 60;
  private static final long STALE_MS = 3_000;
  private static final long BITS = 8;

  private static final List<String> HELP =
      List.of(
          "q, Ctrl-C        quit",
          "l                list of programs",
          "Enter            the program that is chosen there",
          "p, space         hold the screen; go on",
          "n r d            sort by name, rate, drops",
          "s                the next order",
          "up down, j k     choose a port or a program",
          "PgUp PgDn        ten further",
          "Home End         the first, the last",
          "Tab, Shift-Tab   the next, the one before",
          "Esc              none, no help",
          "h, ?             this");

  /**
   * The lines of a screen, from its top.
   *
   * @param nowMs since 1970
   */
  List<AttributedString> lines(int columns, int rows, long nowMs) {
    List<AttributedString> lines = new ArrayList<>();
    lines.add(title(columns, nowMs));
    lines.add(rates(columns));
    if (rows >= ROOMY) {
      lines.add(totals(columns));
      lines.add(AttributedString.EMPTY);
    }
    int foot = rows >= FOOT ? 1 : 0;
    int left = rows - lines.size() - foot;
    if (left > 0) {
      lines.addAll(controls.isHelp() ? help(columns, left) : body(columns, left));
    }
    while (lines.size() < rows - foot) {
      lines.add(AttributedString.EMPTY);
    }
    if (foot > 0) {
      lines.add(foot(columns));
    }
    return lines.subList(0, Math.min(rows, lines.size()));
  }

  /** What can be chosen, in the order in which it is shown. */
  List<String> names() {
    return ports().stream().map(PortRow::name).toList();
  }

  /** The ports in the order in which they are shown. */
  private List<PortRow> ports() {
    return program.ports().stream().sorted(controls.order().ranked()).toList();
  }

  private AttributedString title(int columns, long nowMs) {
    ProgramInfo info = program.program();
    Cells cells =
        new Cells(columns)
            .part(" " + TerminalText.of(info.name()), INVERSE)
            .part(controls.isPaused() ? "held" : "pid " + info.pid())
            .part("up " + UpTime.text(program.now().timeMs() - info.startedMs()))
            .part(controls.order().toString());
    long silentMs = nowMs - program.now().timeMs();
    if (silentMs > STALE_MS && !controls.isPaused()) {
      cells.part("says nothing for " + silentMs / 1_000 + " s");
    }
    return cells.line(INVERSE);
  }

  private AttributedString rates(int columns) {
    Pace lost = program.lost();
    AttributedStyle style = lost.isGrowing() ? BOLD.foreground(AttributedStyle.RED) : DEFAULT;
    Cells cells = new Cells(columns);
    String sent = "tx " + rate(program.sent(), PortRow::sentBytes);
    if (isSender()) {
      cells.part(" " + sent, BOLD);
    } else {
      cells.part(" rx " + rate(program.received(), PortRow::receivedBytes), BOLD).part(sent, BOLD);
    }
    return cells
        .part("dropped + lost " + Figures.brief(lost.perSecond()) + "/s", style)
        .part("inside " + Figures.exact(table().value("linerate_in_flight_packets")))
        .line();
  }

  /** Whether it makes its packets by itself: what it has received are those, then. */
  private boolean isSender() {
    return table().has("linerate_traffic_streams");
  }

  private String rate(Pace packets, Function<PortRow, Pace> bytes) {
    Pace all = program.ports().stream().map(bytes).reduce(Pace.NONE, Pace::plus);
    return "%sp/s %sb/s"
        .formatted(Figures.brief(packets.perSecond()), Figures.brief(BITS * all.perSecond()));
  }

  private AttributedString totals(int columns) {
    Cells cells = new Cells(columns);
    if (!isSender()) {
      cells.part(" received " + Figures.exact(program.received().total()));
    }
    return cells
        .part((isSender() ? " sent " : "sent ") + Figures.exact(program.sent().total()))
        .part("dropped " + Figures.exact(table().dropped()))
        .part("lost " + Figures.exact(table().lost()))
        .line();
  }

  static List<AttributedString> help(int columns, int rows) {
    return HELP.stream()
        .limit(rows)
        .map(line -> new Cells(columns).left(" " + line, columns).line())
        .toList();
  }

  private List<AttributedString> body(int columns, int rows) {
    PortSections ports = new PortSections(program, columns);
    ProgramSections rest = new ProgramSections(program, glyphs, columns);
    List<PortRow> shown = ports();
    Optional<PortRow> chosen =
        shown.stream().filter(row -> row.name().equals(controls.chosen())).findFirst();
    List<Section> sections = new ArrayList<>();
    sections.addAll(new TrafficSections(program, columns).sections());
    sections.add(ports.ports(shown, controls.chosen()));
    chosen.map(ports::device).ifPresent(sections::add);
    sections.add(chart(chosen, columns));
    sections.add(rest.workers());
    new ElementSection(program, columns).section(controls.order()).ifPresent(sections::add);
    sections.add(rest.drops(controls.order()));
    sections.add(rest.machine());
    sections.add(rest.pools());
    return Layout.lines(sections, rows);
  }

  /** What comes in, or what goes out if nothing ever came. */
  private Section chart(Optional<PortRow> port, int columns) {
    Following.History history =
        port.map(row -> program.history(row.name())).orElseGet(program::history);
    long received = port.map(PortRow::received).orElseGet(program::received).total();
    long sent = port.map(PortRow::sent).orElseGet(program::sent).total();
    boolean isSource = received == 0 && sent > 0;
    return new ChartSection(
        " "
            + (isSource ? "SENT" : "RECEIVED")
            + port.map(row -> " BY " + TerminalText.of(row.name())).orElse("")
            + (columns >= MINUTE ? ", LAST MINUTE" : ""),
        isSource ? history.sent() : history.received(),
        glyphs,
        columns);
  }

  private AttributedString foot(int columns) {
    return new Cells(columns)
        .part(" q quit", DEFAULT)
        .part("h help")
        .part(controls.isPaused() ? "p go on" : "p hold")
        .part("l list")
        .part("n r d sort")
        .part("arrows port")
        .line(INVERSE);
  }

  private SampleTable table() {
    return program.now().table();
  }
}
