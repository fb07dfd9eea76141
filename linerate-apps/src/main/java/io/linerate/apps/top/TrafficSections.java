package io.linerate.apps.top;

import static io.linerate.dashboard.state.SampleTable.label;
import static org.jline.utils.AttributedStyle.BOLD;

import io.linerate.core.counter.Sample;
import io.linerate.dashboard.state.SampleTable;
import io.linerate.program.run.TerminalText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jline.utils.AttributedString;

/**
 * What a program that sends is asked for, what came back, and its trials; nothing of other
 * programs.
 *
 * @param width columns of the screen
 */
record TrafficSections(Following program, int width) {
  private static final double NS_PER_S = 1e9;
  private static final int SIZE = 12;
  private static final int RATE = 12;

  List<Section> sections() {
    List<Section> sections = new ArrayList<>();
    if (table().has("linerate_traffic_streams")) {
      sections.add(new ListSection("TRAFFIC", this::asked, came(), 0));
    }
    if (table().has("linerate_trial_info")) {
      sections.add(new ListSection("TRIAL", this::trial, found(), 0));
    }
    return sections;
  }

  private AttributedString asked(String title) {
    Cells cells = new Cells(width).part(" " + title, BOLD);
    boolean isSending = value("linerate_traffic_streams") > 0;
    cells.part(
        !isSending
            ? "pauses"
            : table().has("linerate_traffic_asked_packets_per_second")
                ? "asked "
                    + Figures.brief((double) value("linerate_traffic_asked_packets_per_second"))
                    + "p/s"
                : "asked: as many as go");
    cells.part("reached " + Figures.brief(program.sent().perSecond()) + "p/s");
    if (table().has("linerate_traffic_remaining_seconds")) {
      double left = value("linerate_traffic_remaining_seconds") / NS_PER_S;
      cells.part(String.format(Locale.ROOT, "%.1f s left", left));
    }
    if (table().has("linerate_traffic_planned_packets")) {
      cells.part("of " + Figures.exact(value("linerate_traffic_planned_packets")) + " packets");
    }
    return cells.line();
  }

  private List<AttributedString> came() {
    if (!table().has("linerate_return_lost_packets")) {
      return List.of();
    }
    return List.of(
        new Cells(width)
            .part(" came back " + Figures.exact(value("linerate_return_received_packets_total")))
            .part("lost " + Figures.exact(value("linerate_return_lost_packets")))
            .part("reordered " + Figures.exact(value("linerate_return_reordered_packets_total")))
            .part("twice " + Figures.exact(value("linerate_return_duplicate_packets_total")))
            .part("others " + Figures.exact(value("linerate_return_foreign_packets_total")))
            .line());
  }

  private AttributedString trial(String title) {
    Sample info = table().all("linerate_trial_info").getFirst();
    return new Cells(width)
        .part(" " + title + " " + value("linerate_trials_total"), BOLD)
        .part(TerminalText.of(label(info, "frame_bytes")) + " bytes")
        .part(TerminalText.of(label(info, "purpose")))
        .part(
            "passed until now "
                + Figures.brief((double) value("linerate_trial_passed_packets_per_second"))
                + "p/s")
        .line();
  }

  private List<AttributedString> found() {
    return table().all("linerate_throughput_packets_per_second").stream()
        .map(found ->
            new Cells(width)
                .right(TerminalText.of(label(found, "frame_bytes")) + " bytes", SIZE)
                .right(Figures.brief((double) found.value()) + "p/s", RATE)
                .part("limited by the " + TerminalText.of(label(found, "limited_by")))
                .line())
        .toList();
  }

  private long value(String name) {
    return table().value(name);
  }

  private SampleTable table() {
    return program.now().table();
  }
}
