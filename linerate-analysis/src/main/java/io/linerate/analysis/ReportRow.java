package io.linerate.analysis;

import io.linerate.wire.IpProtocol;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * A row of a report as a table: one of the window itself, and one of each flow, host, name, scan
 * and flood. A flow or host that is among the largest by bytes and by packets is one row with both
 * ranks.
 *
 * @param values in the order of the columns; a column is missing that the row has nothing for
 */
public record ReportRow(Map<ReportColumn, Object> values) {
  private static ReportRow of(WindowReport report, String kind, Map<ReportColumn, Object> rest) {
    EnumMap<ReportColumn, Object> values = new EnumMap<>(ReportColumn.class);
    values.put(ReportColumn.WINDOW_START, report.startNs());
    values.put(ReportColumn.WINDOW_END, report.endNs());
    values.put(ReportColumn.KIND, kind);
    values.putAll(rest);
    return new ReportRow(Collections.unmodifiableMap(values));
  }

  /** What it is of: see {@link ReportColumn#KIND}. */
  public String kind() {
    return text(ReportColumn.KIND);
  }

  /** A value as a text; "" if there is none. */
  public String text(ReportColumn column) {
    Object value = values.get(column);
    return value == null ? "" : value.toString();
  }

  /** A number or time; 0 if there is none. */
  public long number(ReportColumn column) {
    return values.get(column) instanceof Long number ? number : 0;
  }

  /** The rows of a report. */
  public static List<ReportRow> of(WindowReport report) {
    List<ReportRow> rows = new ArrayList<>();
    rows.add(of(report, "window", window(report)));
    ranked(
        report.flowsByBytes(),
        report.flowsByPackets(),
        (flow, ranks) -> rows.add(of(report, "flow", with(ranks, flow(flow)))));
    ranked(
        report.hostsByBytes(),
        report.hostsByPackets(),
        (host, ranks) -> rows.add(of(report, "host", with(ranks, host(host)))));
    report
        .names()
        .forEach(name ->
            rows.add(
                of(
                    report,
                    "name",
                    Map.of(
                        ReportColumn.NAME,
                        name.name(),
                        ReportColumn.QUESTIONS,
                        name.questions()))));
    report.portScans().forEach(scan -> rows.add(of(report, "port_scan", scan(scan))));
    report.hostScans().forEach(scan -> rows.add(of(report, "host_scan", scan(scan))));
    report.synFloods().forEach(flood -> rows.add(of(report, "syn_flood", flood(flood))));
    return rows;
  }

  /** Each of two lists once, with its places in them, from 1 on. */
  private static <T> void ranked(
      List<T> byBytes, List<T> byPackets, BiConsumer<T, Map<ReportColumn, Object>> consumer) {
    Map<T, Map<ReportColumn, Object>> ranks = new LinkedHashMap<>();
    rank(byBytes, ReportColumn.RANK_BY_BYTES, ranks);
    rank(byPackets, ReportColumn.RANK_BY_PACKETS, ranks);
    ranks.forEach(consumer);
  }

  private static <T> void rank(
      List<T> list, ReportColumn column, Map<T, Map<ReportColumn, Object>> ranks) {
    long rank = 1;
    for (T one : list) {
      ranks.computeIfAbsent(one, _ -> new EnumMap<>(ReportColumn.class)).put(column, rank++);
    }
  }

  private static Map<ReportColumn, Object> with(
      Map<ReportColumn, Object> ranks, Map<ReportColumn, Object> values) {
    ranks.putAll(values);
    return ranks;
  }

  private static Map<ReportColumn, Object> window(WindowReport report) {
    EnumMap<ReportColumn, Object> values = new EnumMap<>(ReportColumn.class);
    values.put(ReportColumn.PACKETS, report.packets());
    values.put(ReportColumn.BYTES, report.bytes());
    values.put(ReportColumn.FLOWS, report.flows());
    values.put(ReportColumn.TCP_CONNECTIONS, report.tcpConnections());
    values.put(ReportColumn.UDP_CONNECTIONS, report.udpConnections());
    values.put(ReportColumn.CONNECTIONS_PER_SECOND, report.connectionsPerSecond());
    values.put(ReportColumn.QUESTIONS, report.questions());
    values.put(ReportColumn.EVICTED_FLOWS, report.evictedFlows());
    values.put(ReportColumn.DROPPED, report.dropped());
    return values;
  }

  private static Map<ReportColumn, Object> flow(FlowTraffic flow) {
    EnumMap<ReportColumn, Object> values =
        traffic(flow.packets(), flow.bytes(), flow.packetsBack(), flow.bytesBack());
    values.put(ReportColumn.PROTOCOL, IpProtocol.name(flow.protocol()));
    values.put(ReportColumn.SOURCE, flow.source().toString());
    values.put(ReportColumn.DESTINATION, flow.destination().toString());
    if ((flow.sourcePort() | flow.destinationPort()) != 0) {
      values.put(ReportColumn.SOURCE_PORT, (long) flow.sourcePort());
      values.put(ReportColumn.DESTINATION_PORT, (long) flow.destinationPort());
    }
    return values;
  }

  private static Map<ReportColumn, Object> host(HostTraffic host) {
    EnumMap<ReportColumn, Object> values =
        traffic(host.packets(), host.bytes(), host.packetsBack(), host.bytesBack());
    values.put(ReportColumn.HOST, host.host().toString());
    values.put(ReportColumn.FLOWS, host.flows());
    return values;
  }

  private static EnumMap<ReportColumn, Object> traffic(
      long packets, long bytes, long packetsBack, long bytesBack) {
    EnumMap<ReportColumn, Object> values = new EnumMap<>(ReportColumn.class);
    values.put(ReportColumn.PACKETS, packets);
    values.put(ReportColumn.BYTES, bytes);
    values.put(ReportColumn.PACKETS_BACK, packetsBack);
    values.put(ReportColumn.BYTES_BACK, bytesBack);
    return values;
  }

  private static Map<ReportColumn, Object> scan(PortScan scan) {
    return Map.of(
        ReportColumn.SOURCE,
        scan.source().toString(),
        ReportColumn.DESTINATION,
        scan.destination().toString(),
        ReportColumn.PORTS,
        (long) scan.ports());
  }

  private static Map<ReportColumn, Object> scan(HostScan scan) {
    return Map.of(
        ReportColumn.SOURCE,
        scan.source().toString(),
        ReportColumn.HOSTS,
        (long) scan.hosts(),
        ReportColumn.PORTS,
        (long) scan.ports());
  }

  private static Map<ReportColumn, Object> flood(SynFlood flood) {
    return Map.of(
        ReportColumn.DESTINATION,
        flood.destination().toString(),
        ReportColumn.DESTINATION_PORT,
        (long) flood.port(),
        ReportColumn.SYNS,
        flood.syns(),
        ReportColumn.CONNECTIONS,
        (long) flood.connections(),
        ReportColumn.SOURCES,
        (long) flood.sources());
  }
}
