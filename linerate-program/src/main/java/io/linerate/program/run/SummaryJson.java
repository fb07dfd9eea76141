package io.linerate.program.run;

import com.google.gson.stream.JsonWriter;
import io.linerate.core.port.PortStatistics;
import io.linerate.core.statistics.PortSummary;
import io.linerate.core.statistics.RunSummary;
import io.linerate.dashboard.http.JsonMembers;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** A summary as one JSON object on one line. */
public final class SummaryJson {
  private static final double NS_PER_S = 1e9;

  private SummaryJson() {}

  /**
   * Prints the object.
   *
   * @param members written after what all applications have
   */
  public static void print(PrintStream out, RunSummary summary, JsonMembers members) {
    printObject(
        out,
        json -> {
          json.name("program").value(summary.programName());
          json.name("durationSeconds").value(summary.durationNs() / NS_PER_S);
          JsonMembers.objects(json.name("ports"), summary.ports(), port -> port(json, port));
          json.name("received").value(summary.packets().received());
          json.name("made").value(summary.packets().made());
          json.name("takenOver").value(summary.packets().takenOver());
          json.name("sent").value(summary.packets().sent());
          JsonMembers.numbers(json, "dropped", summary.packets().dropped());
          if (!summary.droppedTokens().isEmpty()) {
            JsonMembers.numbers(json, "droppedTokens", summary.droppedTokens());
          }
          json.name("handedOver").value(summary.packets().handedOver());
          json.name("inFlight").value(summary.packets().inFlight());
          json.name("exceptions").value(summary.exceptions());
          JsonMembers.texts(json, "failures", summary.failures());
          members.write(json);
        });
  }

  /** Prints an object of these members on a line of its own. */
  public static void printObject(PrintStream out, JsonMembers members) {
    out.println(new String(JsonMembers.object(members), StandardCharsets.UTF_8));
  }

  private static void port(JsonWriter json, PortSummary port) throws IOException {
    PortStatistics counts = port.statistics();
    json.name("name").value(port.name());
    json.name("address").value(port.address().toString());
    json.name("rxPackets").value(counts.rxPackets());
    json.name("rxBytes").value(counts.rxBytes());
    json.name("txPackets").value(counts.txPackets());
    json.name("txBytes").value(counts.txBytes());
    json.name("missed").value(counts.missed());
    json.name("errors").value(counts.errors());
    if (counts.isFilteredByKernel()) {
      json.name("filteredByKernel").value(true);
    }
  }
}
