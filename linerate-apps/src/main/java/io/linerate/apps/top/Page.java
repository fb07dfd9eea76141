package io.linerate.apps.top;

import static org.jline.utils.AttributedStyle.BOLD;
import static org.jline.utils.AttributedStyle.DEFAULT;
import static org.jline.utils.AttributedStyle.INVERSE;

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
          "p, space         hold the screen; go on",
          "n r d            sort by name, rate, drops",
          "s                the next order",
          "up down, j k     choose a port",
          "PgUp PgDn        ten ports further",
          "Home End         the first, the last port",
          "Tab, Shift-Tab   the next port, the one before",
          "Esc              no port, no help",
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

  /** The ports in the order in which they are shown. */
  List<PortRow> ports() {
    return program.ports().stream().sorted(controls.order().ofPorts()).toList();
  }

  private AttributedString title(int columns, long nowMs) {
    ProgramInfo info = program.program();
    Cells cells =
        new Cells(columns)
            .part(" " + TerminalText.of(info.name()), INVERSE)
            .part(controls.isPaused() ? "held" : "pid " + info.pid())
            .part("up " + Figures.age(program.now().timeMs() - info.startedMs()))
            .part(controls.order().toString());
    long silentMs = nowMs - program.now().timeMs();
    if (silentMs > STALE_MS && !controls.isPaused()) {
      cells.part("says nothing for " + silentMs / 1_000 + " s");
    }
    return cells.line(INVERSE);
  }

  private AttributedString rates(int columns) {
    Pace dropped = program.interval().pace(SampleTable::dropped);
    AttributedStyle style = dropped.isGrowing() ? BOLD.foreground(AttributedStyle.RED) : DEFAULT;
    return new Cells(columns)
        .part(" rx " + rate(program.received(), PortRow::receivedBytes), BOLD)
        .part("tx " + rate(program.sent(), PortRow::sentBytes), BOLD)
        .part("dropped " + Figures.brief(dropped.perSecond()) + "/s", style)
        .part("inside " + Figures.exact(table().value("linerate_in_flight_packets")))
        .line();
  }

  private String rate(Pace packets, Function<PortRow, Pace> bytes) {
    Pace all = program.ports().stream().map(bytes).reduce(Pace.NONE, Pace::plus);
    return "%sp/s %sb/s"
        .formatted(Figures.brief(packets.perSecond()), Figures.brief(BITS * all.perSecond()));
  }

  private AttributedString totals(int columns) {
    return new Cells(columns)
        .part(" received " + Figures.exact(program.received().total()))
        .part("sent " + Figures.exact(program.sent().total()))
        .part("dropped " + Figures.exact(table().dropped()))
        .line();
  }

  private static List<AttributedString> help(int columns, int rows) {
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
        shown.stream().filter(row -> row.name().equals(controls.port())).findFirst();
    List<Section> sections = new ArrayList<>();
    sections.add(ports.ports(shown, controls.port()));
    chosen.map(ports::device).ifPresent(sections::add);
    sections.add(chart(chosen, columns));
    sections.add(rest.workers());
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
        .part("n r d sort")
        .part("arrows port")
        .line(INVERSE);
  }

  private SampleTable table() {
    return program.now().table();
  }
}
