package io.linerate.apps.run;

import com.google.gson.stream.JsonWriter;
import io.linerate.core.port.PortStatistics;
import io.linerate.core.statistics.PortSummary;
import io.linerate.core.statistics.RunSummary;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Map;

/** A summary as one JSON object on one line. */
public final class SummaryJson {
  private static final double NS_PER_S = 1e9;

  /** What an application adds to the object. */
  @FunctionalInterface
  public interface Members {
    void write(JsonWriter json) throws IOException;
  }

  private SummaryJson() {}

  /**
   * Prints the object.
   *
   * @param members written after what all applications have
   */
  public static void print(PrintStream out, RunSummary summary, Members members) {
    printObject(
        out,
        json -> {
          json.name("program").value(summary.programName());
          json.name("durationSeconds").value(summary.durationNs() / NS_PER_S);
          json.name("ports").beginArray();
          for (PortSummary port : summary.ports()) {
            port(json, port);
          }
          json.endArray();
          json.name("received").value(summary.packets().received());
          json.name("made").value(summary.packets().made());
          json.name("takenOver").value(summary.packets().takenOver());
          json.name("sent").value(summary.packets().sent());
          numbers(json, "dropped", summary.packets().dropped());
          json.name("handedOver").value(summary.packets().handedOver());
          json.name("inFlight").value(summary.packets().inFlight());
          json.name("exceptions").value(summary.exceptions());
          json.name("failures").beginArray();
          for (String failure : summary.failures()) {
            json.value(failure);
          }
          json.endArray();
          members.write(json);
        });
  }

  /** Prints an object of these members on a line of its own. */
  public static void printObject(PrintStream out, Members members) {
    StringWriter text = new StringWriter();
    try (JsonWriter json = new JsonWriter(text)) {
      json.beginObject();
      members.write(json);
      json.endObject();
    } catch (IOException e) {
      throw new UncheckedIOException("a string cannot be written", e);
    }
    out.println(text);
  }

  /** Writes a member that is an object of numbers. */
  public static void numbers(JsonWriter json, String name, Map<String, Long> numbers)
      throws IOException {
    json.name(name).beginObject();
    for (Map.Entry<String, Long> number : numbers.entrySet()) {
      json.name(number.getKey()).value(number.getValue());
    }
    json.endObject();
  }

  private static void port(JsonWriter json, PortSummary port) throws IOException {
    PortStatistics counts = port.statistics();
    json.beginObject();
    json.name("name").value(port.name());
    json.name("address").value(port.address().toString());
    json.name("rxPackets").value(counts.rxPackets());
    json.name("rxBytes").value(counts.rxBytes());
    json.name("txPackets").value(counts.txPackets());
    json.name("txBytes").value(counts.txBytes());
    json.name("missed").value(counts.missed());
    json.name("errors").value(counts.errors());
    json.endObject();
  }
}
