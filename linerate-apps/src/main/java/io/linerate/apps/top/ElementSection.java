package io.linerate.apps.top;

import static io.linerate.dashboard.state.SampleTable.label;
import static org.jline.utils.AttributedStyle.BOLD;
import static org.jline.utils.AttributedStyle.DEFAULT;

import io.linerate.core.counter.Sample;
import io.linerate.core.memory.DropReason;
import io.linerate.dashboard.state.SampleTable;
import io.linerate.program.run.TerminalText;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jline.utils.AttributedString;
import org.jline.utils.AttributedStyle;

/**
 * The elements of a program that has a graph.
 *
 * @param width columns of the screen
 */
record ElementSection(Following program, int width) {
  private static final int NAME = 24;
  private static final int NUMBER = 9;
  private static final int TOTAL = 18;

  /**
   * An element.
   *
   * @param time ns that were measured of it, in a second
   * @param timed packets that this was measured of
   */
  private record Row(
      String name, Pace passed, Pace lost, long held, long capacity, Pace time, Pace timed)
      implements Ranked {
    String queue() {
      return capacity == 0
          ? held == 0 ? "" : Figures.exact(held)
          : Figures.exact(held) + "/" + Figures.brief((double) capacity);
    }

    /** What a packet takes; NaN if nothing was measured. */
    double packetNs() {
      return time.perSecond() / timed.perSecond();
    }
  }

  /** All elements, if there are any: as the graph has them, or as another order wants. */
  Optional<Section> section(Order order) {
    List<Row> rows = rows();
    Comparator<Ranked> wanted = order == Order.NAME ? (_, _) -> 0 : order.ranked();
    List<AttributedString> items = rows.stream().sorted(wanted).map(this::line).toList();
    return rows.isEmpty()
        ? Optional.empty()
        : Optional.of(new ListSection("ELEMENT", this::head, items, 0));
  }

  private List<Row> rows() {
    SampleTable table = program.now().table();
    Interval interval = program.interval();
    Map<String, Pace> in = paces(interval, "received_packets_total");
    Map<String, Pace> out = paces(interval, "sent_packets_total");
    Map<String, Pace> lost =
        interval.paces(
            samples ->
                samples.all("linerate_element_dropped_packets_total").stream()
                    .filter(drop -> !DropReason.isGoodEnd(label(drop, "reason")))
                    .toList(),
            "element");
    Map<String, Pace> time = paces(interval, "timed_seconds_total");
    Map<String, Pace> timed = paces(interval, "timed_packets_total");
    Map<String, Long> held = gauges(table, "held_packets");
    Map<String, Long> capacity = gauges(table, "capacity_packets");
    return table.all("linerate_element_info").stream()
        .map(info -> label(info, "element"))
        .map(name -> {
          Pace received = in.getOrDefault(name, Pace.NONE);
          return new Row(
              name,
              received.total() > 0 ? received : out.getOrDefault(name, Pace.NONE),
              lost.getOrDefault(name, Pace.NONE),
              held.getOrDefault(name, 0L),
              capacity.getOrDefault(name, 0L),
              time.getOrDefault(name, Pace.NONE),
              timed.getOrDefault(name, Pace.NONE));
        })
        .toList();
  }

  private static Map<String, Pace> paces(Interval interval, String what) {
    return interval.paces("linerate_element_" + what, "element");
  }

  private static Map<String, Long> gauges(SampleTable table, String what) {
    List<Sample> samples = table.all("linerate_element_" + what);
    return SampleTable.by(samples, "element");
  }

  private AttributedString head(String title) {
    return new Cells(width)
        .left(" " + title, NAME, BOLD)
        .right("p/s", NUMBER)
        .right("drop/s", NUMBER)
        .right("ns/packet", NUMBER + 2)
        .right("queue", NUMBER + 2)
        .right("packets", TOTAL)
        .right("dropped", TOTAL)
        .line();
  }

  private AttributedString line(Row row) {
    AttributedStyle style = row.lost.isGrowing() ? BOLD.foreground(AttributedStyle.RED) : DEFAULT;
    return new Cells(width)
        .left(" " + TerminalText.of(row.name), NAME)
        .right(Figures.brief(row.passed.perSecond()), NUMBER)
        .right(Figures.brief(row.lost.perSecond()), NUMBER, style)
        .right(Figures.brief(row.packetNs()), NUMBER + 2)
        .right(row.queue(), NUMBER + 2)
        .right(Figures.exact(row.passed.total()), TOTAL)
        .right(Figures.exact(row.lost.total()), TOTAL)
        .line();
  }
}
