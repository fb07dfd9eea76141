package io.linerate.apps.top;

import static io.linerate.dashboard.state.SampleTable.label;
import static org.jline.utils.AttributedStyle.BOLD;
import static org.jline.utils.AttributedStyle.DEFAULT;

import io.linerate.core.counter.Sample;
import io.linerate.core.memory.DropReason;
import io.linerate.dashboard.state.SampleTable;
import io.linerate.program.run.TerminalText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jline.utils.AttributedString;
import org.jline.utils.AttributedStyle;

/**
 * Workers, drops, pools and the virtual machine of a program.
 *
 * @param width columns of the screen
 */
record ProgramSections(Following program, Glyphs glyphs, int width) {
  private static final int NAME = 16;
  private static final int NUMBER = 9;
  private static final int TOTAL = 18;
  private static final int LEAST_BAR = 10;
  private static final int MOST_BAR = 30;
  private static final double BUSY = 0.6;
  private static final double FULL = 0.85;
  private static final double MIB = 1 << 20;
  private static final double NS_PER_MS = 1e6;

  /** The load of each worker: its part of the time in which packets came. */
  Section workers() {
    Interval interval = program.interval();
    Map<String, Pace> busy = interval.paces("linerate_worker_busy_seconds_total", "worker");
    Map<String, Pace> idle = interval.paces("linerate_worker_idle_seconds_total", "worker");
    Map<String, Pace> received = interval.paces("linerate_worker_received_packets_total", "worker");
    int bar = Math.clamp(width - 50, LEAST_BAR, MOST_BAR);
    List<AttributedString> items = new ArrayList<>();
    for (Sample cpu : table().all("linerate_worker_cpu")) {
      String worker = label(cpu, "worker");
      double busyNs = busy.getOrDefault(worker, Pace.NONE).perSecond();
      double load = busyNs / (busyNs + idle.getOrDefault(worker, Pace.NONE).perSecond());
      boolean isKnown = Double.isFinite(load);
      items.add(
          new Cells(width)
              .left(" " + worker, NAME)
              .right(isKnown ? Math.round(100 * load) + " %" : "-", NUMBER)
              .left(" ", 1)
              .left(glyphs.bar(isKnown ? load : 0, bar), bar, colour(load))
              .right(cpu.value() < 0 ? "any" : String.valueOf(cpu.value()), NUMBER)
              .right(Figures.brief(received.getOrDefault(worker, Pace.NONE).perSecond()), NUMBER)
              .line());
    }
    return new ListSection(
        "WORKER",
        title ->
            new Cells(width)
                .left(" " + title, NAME, BOLD)
                .right("load", NUMBER)
                .left("", 1 + bar)
                .right("CPU", NUMBER)
                .right("rx p/s", NUMBER)
                .line(),
        items,
        0);
  }

  private static AttributedStyle colour(double load) {
    return DEFAULT.foreground(
        load < BUSY
            ? AttributedStyle.GREEN
            : load < FULL ? AttributedStyle.YELLOW : AttributedStyle.RED);
  }

  /** Packets that were dropped, by reason. Those that are good ends are not red. */
  Section drops(Order order) {
    List<AttributedString> items =
        program.interval().paces("linerate_dropped_packets_total", "reason").entrySet().stream()
            .sorted(order.ofReasons())
            .map(drop -> drop(drop.getKey(), drop.getValue()))
            .toList();
    return new ListSection(
        "DROPPED",
        title -> {
          Cells cells = new Cells(width).left(" " + title, NAME, BOLD);
          return items.isEmpty()
              ? cells.left("nothing", NUMBER).line()
              : cells.right("per s", NUMBER).right("total", TOTAL).line();
        },
        items,
        0);
  }

  private AttributedString drop(String reason, Pace pace) {
    boolean isBad = pace.isGrowing() && !DropReason.isGoodEnd(reason);
    AttributedStyle style = isBad ? BOLD.foreground(AttributedStyle.RED) : DEFAULT;
    return new Cells(width)
        .left(" " + TerminalText.of(reason), NAME)
        .right(Figures.brief(pace.perSecond()), NUMBER, style)
        .right(Figures.exact(pace.total()), TOTAL)
        .line();
  }

  /** Free buffers. */
  Section pools() {
    List<AttributedString> items = new ArrayList<>();
    for (Sample pool : table().all("linerate_pool_buffers")) {
      String name = label(pool, "pool");
      long free = table().value("linerate_pool_available_buffers", "pool", name);
      items.add(
          new Cells(width)
              .left(" " + TerminalText.of(name), NAME)
              .right(Figures.exact(free), NUMBER)
              .right(Figures.exact(pool.value()), NUMBER)
              .line());
    }
    return new ListSection(
        "POOL",
        title ->
            new Cells(width)
                .left(" " + title, NAME, BOLD)
                .right("free", NUMBER)
                .right("of", NUMBER)
                .line(),
        items,
        0);
  }

  /** The virtual machine, in one line. */
  Section machine() {
    Cells cells =
        new Cells(width)
            .left(" JVM", NAME, BOLD)
            .part(
                String.format(
                    Locale.ROOT,
                    "heap %.0f of %.0f MiB",
                    jvm("heap_used_bytes") / MIB,
                    jvm("heap_max_bytes") / MIB));
    pauses(cells, "gc", "gc_pauses_total", "gc_pause_seconds_total");
    pauses(cells, "safepoints", "safepoints_total", "safepoint_seconds_total");
    return new ListSection("", _ -> cells.line(), List.of(), 0);
  }

  private void pauses(Cells cells, String title, String count, String time) {
    if (table().has("linerate_jvm_" + count)) {
      double ms = jvm(time) / NS_PER_MS;
      cells.part(String.format(Locale.ROOT, "%s %,.0f, %,.0f ms", title, jvm(count), ms));
    }
  }

  private double jvm(String what) {
    return table().value("linerate_jvm_" + what);
  }

  private SampleTable table() {
    return program.now().table();
  }
}
