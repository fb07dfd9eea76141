package io.linerate.apps.flows;

import io.linerate.analysis.ReportColumn;
import io.linerate.analysis.ReportRow;
import io.linerate.analysis.WindowReport;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** The report of a window as lines for people. */
final class WindowText {
  private static final String TRAFFIC = "  %7s %7s  %-52s %11s %15s %11s %15s%n";
  private static final long NS_PER_S = 1_000_000_000;
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSS", Locale.ROOT).withZone(ZoneOffset.UTC);

  private WindowText() {}

  /** Appends the lines of a report, and an empty one. */
  static void append(WindowReport report, StringBuilder text) {
    String kind = "";
    for (ReportRow row : ReportRow.of(report)) {
      if (!row.kind().equals(kind)) {
        kind = row.kind();
        text.append(heading(kind));
      }
      text.append(kind.equals("window") ? window(report) : line(kind, row));
    }
    text.append('\n');
  }

  private static String heading(String kind) {
    return switch (kind) {
      case "flow" -> heading("flow", "there");
      case "host" -> heading("host", "sent");
      case "name" -> "  %15s  name%n".formatted("questions");
      default -> "";
    };
  }

  private static String heading(String what, String there) {
    String back = there.equals("sent") ? "received" : "back";
    return TRAFFIC.formatted("# bytes", "packets", what, there, "bytes", back, "bytes");
  }

  private static String line(String kind, ReportRow row) {
    return switch (kind) {
      case "flow" -> traffic(row, flow(row));
      case "host" -> traffic(row, row.text(ReportColumn.HOST));
      case "name" ->
          "  %15s  %s%n"
              .formatted(number(row, ReportColumn.QUESTIONS), row.text(ReportColumn.NAME));
      case "port_scan" ->
          "  port scan: %s has tried %s ports of %s%n"
              .formatted(
                  row.text(ReportColumn.SOURCE),
                  number(row, ReportColumn.PORTS),
                  row.text(ReportColumn.DESTINATION));
      case "host_scan" ->
          "  host scan: %s has tried %s hosts, %s ports%n"
              .formatted(
                  row.text(ReportColumn.SOURCE),
                  number(row, ReportColumn.HOSTS),
                  number(row, ReportColumn.PORTS));
      default ->
          "  SYN flood: %s got %s SYNs of %s connections that were not completed, from %s addresses%n"
              .formatted(
                  end(row, ReportColumn.DESTINATION, ReportColumn.DESTINATION_PORT),
                  number(row, ReportColumn.SYNS),
                  number(row, ReportColumn.CONNECTIONS),
                  number(row, ReportColumn.SOURCES));
    };
  }

  private static String window(WindowReport report) {
    return String.format(
        Locale.ROOT,
        "%s, %s s: %,d packets, %,d bytes, %,d flows; new %,d tcp, %,d udp, %,.1f a second; %,d questions for names%s%n",
        TIME.format(
            Instant.ofEpochSecond(
                Math.floorDiv(report.startNs(), NS_PER_S),
                Math.floorMod(report.startNs(), NS_PER_S))),
        BigDecimal.valueOf(report.endNs() - report.startNs(), 9)
            .stripTrailingZeros()
            .toPlainString(),
        report.packets(),
        report.bytes(),
        report.flows(),
        report.tcpConnections(),
        report.udpConnections(),
        report.connectionsPerSecond(),
        report.questions(),
        report.dropped() == 0
            ? ""
            : String.format(Locale.ROOT, "; %,d dropped for lack of room", report.dropped()));
  }

  private static String traffic(ReportRow row, String what) {
    return TRAFFIC.formatted(
        row.text(ReportColumn.RANK_BY_BYTES),
        row.text(ReportColumn.RANK_BY_PACKETS),
        what,
        number(row, ReportColumn.PACKETS),
        number(row, ReportColumn.BYTES),
        number(row, ReportColumn.PACKETS_BACK),
        number(row, ReportColumn.BYTES_BACK));
  }

  private static String flow(ReportRow row) {
    return "%s %s > %s"
        .formatted(
            row.text(ReportColumn.PROTOCOL),
            end(row, ReportColumn.SOURCE, ReportColumn.SOURCE_PORT),
            end(row, ReportColumn.DESTINATION, ReportColumn.DESTINATION_PORT));
  }

  private static String end(ReportRow row, ReportColumn address, ReportColumn port) {
    String text = row.text(address);
    String number = row.text(port);
    if (number.isEmpty()) {
      return text;
    }
    return (text.contains(":") ? "[" + text + "]" : text) + ":" + number;
  }

  private static String number(ReportRow row, ReportColumn column) {
    return String.format(Locale.ROOT, "%,d", row.number(column));
  }
}
