package io.linerate.apps.top;

import io.linerate.core.counter.ProgramInfo;
import io.linerate.core.memory.DropReason;
import io.linerate.dashboard.state.SampleTable;
import io.linerate.program.run.TerminalText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The totals of a program as plain lines, as its own summary has them. */
final class LastTotals {
  private LastTotals() {}

  static List<String> lines(Following program) {
    SampleTable table = program.now().table();
    ProgramInfo info = program.program();
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(
            Locale.ROOT,
            "%s: %,d received, %,d sent, %,d dropped, %,d in flight in %.3f s",
            TerminalText.of(info.name()),
            table.value("linerate_received_packets_total"),
            table.value("linerate_sent_packets_total"),
            table.value("linerate_dropped_packets_total"),
            table.value("linerate_in_flight_packets"),
            (program.now().timeMs() - info.startedMs()) / 1e3));
    SampleTable.by(table.all("linerate_dropped_packets_total"), "reason")
        .forEach((reason, packets) ->
            lines.add(
                String.format(
                    Locale.ROOT,
                    "  %s as %s: %,d",
                    DropReason.end(reason),
                    TerminalText.of(reason),
                    packets)));
    for (PortRow port : program.ports()) {
      lines.add(
          String.format(
              Locale.ROOT,
              "  %s %s: rx %,d packets %,d bytes, tx %,d packets %,d bytes, missed %,d, errors %,d",
              TerminalText.of(port.name()),
              TerminalText.of(port.address()),
              port.received().total(),
              port.receivedBytes().total(),
              port.sent().total(),
              port.sentBytes().total(),
              port.missed().total(),
              port.errors().total()));
    }
    return lines;
  }
}
