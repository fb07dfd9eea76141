package io.linerate.apps.flows;

import com.google.gson.stream.JsonWriter;
import io.linerate.analysis.ReportColumn;
import io.linerate.analysis.ReportRow;
import io.linerate.analysis.WindowReport;
import io.linerate.dashboard.http.JsonMembers;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The last windows, as the page shows them: each as a whole, with its scans and floods, and the
 * rows of the last one.
 */
final class WindowsView implements JsonMembers {
  private static final int SHOWN = 30;

  /** Rows of each kind at most. */
  private static final int MOST_ROWS = 20;

  private static final Set<String> ALARMS = Set.of("port_scan", "host_scan", "syn_flood");
  private static final Set<String> LARGEST = Set.of("flow", "host", "name");
  private static final long NS_PER_MS = 1_000_000;

  /** A window, with the rows that may be shown of it. */
  private record Shown(WindowReport report, List<ReportRow> rows) {}

  /** The last one first. Guarded by this. */
  private final Deque<Shown> last = new ArrayDeque<>();

  void add(WindowReport report) {
    Map<String, Integer> counts = new HashMap<>();
    List<ReportRow> rows = new ArrayList<>(ReportRow.of(report));
    rows.removeIf(row -> counts.merge(row.kind(), 1, Integer::sum) > MOST_ROWS);
    add(new Shown(report, rows));
  }

  private synchronized void add(Shown shown) {
    last.addFirst(shown);
    if (last.size() > SHOWN) {
      last.removeLast();
    }
  }

  private synchronized List<Shown> last() {
    return List.copyOf(last);
  }

  @Override
  public void write(JsonWriter json) throws IOException {
    List<Shown> all = last();
    JsonMembers.objects(json.name("windows"), all, shown -> whole(json, shown.report));
    JsonMembers.objects(
        json.name("windowAlarms"),
        rows(all, ALARMS).stream().limit(MOST_ROWS).toList(),
        row -> row(json, row));
    JsonMembers.objects(
        json.name("windowRows"),
        rows(all.isEmpty() ? List.of() : all.subList(0, 1), LARGEST),
        row -> row(json, row));
  }

  private static List<ReportRow> rows(List<Shown> windows, Set<String> kinds) {
    return windows.stream()
        .flatMap(shown -> shown.rows.stream())
        .filter(row -> kinds.contains(row.kind()))
        .toList();
  }

  private static void whole(JsonWriter json, WindowReport report) throws IOException {
    json.name("startMs").value(report.startNs() / NS_PER_MS);
    json.name("packets").value(report.packets());
    json.name("bytes").value(report.bytes());
    json.name("flows").value(report.flows());
    json.name("tcpConnections").value(report.tcpConnections());
    json.name("udpConnections").value(report.udpConnections());
    json.name("questions").value(report.questions());
    json.name("dropped").value(report.dropped());
    json.name("scans").value(report.portScans().size() + report.hostScans().size());
    json.name("floods").value(report.synFloods().size());
  }

  /** As a line of JSON has it, but for times: pages reckon in ms. */
  private static void row(JsonWriter json, ReportRow row) throws IOException {
    for (Map.Entry<ReportColumn, Object> one : row.values().entrySet()) {
      String name = one.getKey().columnName();
      switch (one.getKey().type()) {
        case TIME -> json.name(name + "Ms").value((Long) one.getValue() / NS_PER_MS);
        case NUMBER, DECIMAL -> json.name(name).value((Number) one.getValue());
        case TEXT -> json.name(name).value((String) one.getValue());
      }
    }
  }
}
