package io.linerate.dashboard.state;

import static io.linerate.dashboard.state.SampleTable.label;

import io.linerate.core.counter.Sample;
import io.linerate.core.memory.DropReason;
import java.util.LinkedHashMap;
import java.util.Map;

/** The totals of which a history is kept, by the names that the page has for them. */
final class HistoryNumbers {
  private final SampleTable table;
  private final Map<String, Long> numbers = new LinkedHashMap<>();

  private HistoryNumbers(SampleTable table) {
    this.table = table;
  }

  /** First what is least in number: when there is no room for all, it is kept. */
  static Map<String, Long> of(SampleTable table) {
    HistoryNumbers history = new HistoryNumbers(table);
    history.program();
    history.ports();
    history.each("linerate_worker_busy_seconds_total", "worker", "busyNs");
    history.each("linerate_worker_idle_seconds_total", "worker", "idleNs");
    history.graph();
    return history.numbers;
  }

  private void program() {
    numbers.put("totals.received", table.value("linerate_received_packets_total"));
    numbers.put("totals.sent", table.value("linerate_sent_packets_total"));
    numbers.put("totals.dropped", table.dropped());
    numbers.put("totals.lost", table.lost());
    if (table.has("linerate_return_received_packets_total")) {
      numbers.put("generator.cameBack", table.value("linerate_return_received_packets_total"));
    }
    for (Sample drop : table.all("linerate_dropped_packets_total")) {
      numbers.put("drop." + label(drop, "reason"), drop.value());
    }
  }

  private void ports() {
    each("linerate_port_received_packets_total", "port", "rxPackets");
    each("linerate_port_received_bytes_total", "port", "rxBytes");
    each("linerate_port_sent_packets_total", "port", "txPackets");
    each("linerate_port_sent_bytes_total", "port", "txBytes");
    each("linerate_port_missed_packets_total", "port", "lost");
    each("linerate_port_error_packets_total", "port", "lost");
  }

  private void graph() {
    each("linerate_element_received_packets_total", "element", "packetsIn");
    each("linerate_element_sent_packets_total", "element", "packetsOut");
    each("linerate_element_received_tokens_total", "element", "tokensIn");
    each("linerate_element_sent_tokens_total", "element", "tokensOut");
    for (Sample drop : table.all("linerate_element_dropped_packets_total")) {
      String reason = label(drop, "reason");
      String element = "element." + label(drop, "element");
      numbers.merge(
          element + ".dropped", DropReason.isGoodEnd(reason) ? 0L : drop.value(), Long::sum);
      numbers.put(element + ".drop." + reason, drop.value());
    }
    edges("linerate_edge_packets_total", "packets");
    edges("linerate_edge_tokens_total", "tokens");
  }

  private void edges(String sample, String series) {
    for (Sample edge : table.all(sample)) {
      String name =
          "edge.%s[%s]-[%s]%s"
              .formatted(
                  label(edge, "from"),
                  label(edge, "output"),
                  label(edge, "input"),
                  label(edge, "to"));
      numbers.put(name + "." + series, edge.value());
    }
  }

  /** Samples of one series are added up. */
  private void each(String name, String what, String series) {
    for (Sample sample : table.all(name)) {
      numbers.merge(what + "." + label(sample, what) + "." + series, sample.value(), Long::sum);
    }
  }
}
