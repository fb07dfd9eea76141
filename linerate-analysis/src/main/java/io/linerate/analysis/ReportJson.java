package io.linerate.analysis;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * Rows as JSON objects: members are the columns that a row has, times as RFC 3339 has them, with
 * nanoseconds.
 */
public final class ReportJson {
  private static final long NS_PER_S = 1_000_000_000;
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.nnnnnnnnn'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private ReportJson() {}

  /** Appends a row, in one line without its end. */
  public static void append(ReportRow row, StringBuilder json) {
    char[] separator = {'{'};
    row.values()
        .forEach((column, value) -> {
          json.append(separator[0]).append('"').append(column.columnName()).append("\":");
          appendValue(column, value, json);
          separator[0] = ',';
        });
    json.append('}');
  }

  private static void appendValue(ReportColumn column, Object value, StringBuilder json) {
    switch (column.type()) {
      case TIME -> json.append('"').append(TIME.format(instant((Long) value))).append('"');
      case TEXT -> json.append('"').append(escaped((String) value)).append('"');
      case NUMBER, DECIMAL -> json.append(value);
    }
  }

  /** Text is of printable characters. */
  private static String escaped(String text) {
    return text.replace("\\", "\\\\").replace("\"", "\\\"");
  }

  private static Instant instant(long ns) {
    return Instant.ofEpochSecond(Math.floorDiv(ns, NS_PER_S), Math.floorMod(ns, NS_PER_S));
  }
}
