package io.linerate.apps.fabric;

import com.google.gson.stream.JsonWriter;
import io.linerate.core.config.RateText;
import io.linerate.fabric.FabricAddress;
import io.linerate.program.run.CommandException;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/** What was measured, as a table and as JSON. */
record FabricReport(boolean isPing, FabricAddress peer, int window, List<SizeRow> rows) {
  private static final int DIGITS = 4;

  FabricReport {
    rows = List.copyOf(rows);
  }

  void print(PrintStream out) {
    if (isPing) {
      out.printf("half round trip to %s, in us%n", peer);
      out.printf(
          "  %9s  %9s  %9s  %9s  %9s  %10s%n",
          "bytes", "least", "median", "99 %", "99.9 %", "messages");
      for (SizeRow row : rows) {
        out.printf(
            Locale.ROOT,
            "  %9d  %9.2f  %9.2f  %9.2f  %9.2f  %10d%n",
            row.bytes(),
            row.us(0),
            row.us(50),
            row.us(99),
            row.us(99.9),
            row.messages());
      }
      return;
    }
    out.printf("bandwidth to %s, at most %d messages under way%n", peer, window);
    out.printf("  %9s  %14s  %14s  %14s%n", "bytes", "bytes", "bits", "messages");
    for (SizeRow row : rows) {
      out.printf(
          Locale.ROOT,
          "  %9d  %14s  %14s  %14s%n",
          row.bytes(),
          RateText.of(row.bytesPerSecond(), "B/s", DIGITS),
          RateText.of(8 * row.bytesPerSecond(), "bit/s", DIGITS),
          RateText.of(row.messagesPerSecond(), "/s", DIGITS));
    }
  }

  void writeJson(PrintStream out) {
    try {
      JsonWriter json = new JsonWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8));
      json.setIndent("  ");
      json.beginObject();
      json.name("measured").value(isPing ? "ping" : "bandwidth");
      json.name("peer").value(peer.toString());
      json.name("window").value(window);
      json.name("sizes").beginArray();
      for (SizeRow row : rows) {
        write(json, row);
      }
      json.endArray();
      json.endObject();
      json.flush();
      out.println();
    } catch (IOException e) {
      throw new CommandException("cannot write the result: reason=" + e.getMessage());
    }
  }

  private void write(JsonWriter json, SizeRow row) throws IOException {
    json.beginObject();
    json.name("bytes").value(row.bytes());
    json.name("messages").value(row.messages());
    json.name("seconds").value(row.seconds());
    if (isPing) {
      json.name("halfRoundTripUs").beginObject();
      json.name("least").value(row.us(0));
      json.name("median").value(row.us(50));
      json.name("p99").value(row.us(99));
      json.name("p999").value(row.us(99.9));
      json.endObject();
    } else {
      json.name("bytesPerSecond").value(row.bytesPerSecond());
      json.name("messagesPerSecond").value(row.messagesPerSecond());
    }
    json.endObject();
  }
}
