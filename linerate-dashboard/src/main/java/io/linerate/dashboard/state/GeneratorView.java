package io.linerate.dashboard.state;

import static io.linerate.dashboard.state.SampleTable.label;

import com.google.gson.stream.JsonWriter;
import io.linerate.core.counter.Sample;
import io.linerate.dashboard.http.JsonMembers;
import java.io.IOException;
import java.util.List;

/** What {@code generate} and {@code measure} are asked for, what came back, and the trials. */
final class GeneratorView implements SampleView {
  @Override
  public void writeMembers(JsonWriter json, SampleTable table) throws IOException {
    json.name("generator");
    if (!table.has("linerate_traffic_streams")) {
      json.nullValue();
      return;
    }
    json.beginObject();
    table.optional(json, "streams", "linerate_traffic_streams");
    table.optional(json, "askedPps", "linerate_traffic_asked_packets_per_second");
    table.optional(json, "remainingNs", "linerate_traffic_remaining_seconds");
    table.optional(json, "plannedPackets", "linerate_traffic_planned_packets");
    table.optional(json, "cameBack", "linerate_return_received_packets_total");
    table.optional(json, "lost", "linerate_return_lost_packets");
    table.optional(json, "duplicates", "linerate_return_duplicate_packets_total");
    table.optional(json, "reordered", "linerate_return_reordered_packets_total");
    table.optional(json, "foreign", "linerate_return_foreign_packets_total");
    trial(json, table);
    json.endObject();
  }

  private static void trial(JsonWriter json, SampleTable table) throws IOException {
    List<Sample> trials = table.all("linerate_trial_info");
    json.name("trial");
    if (trials.isEmpty()) {
      json.nullValue();
      return;
    }
    json.beginObject();
    table.optional(json, "number", "linerate_trials_total");
    json.name("frameBytes").value(SampleTable.number(trials.getFirst(), "frame_bytes"));
    json.name("purpose").value(label(trials.getFirst(), "purpose"));
    table.optional(json, "passedPps", "linerate_trial_passed_packets_per_second");
    JsonMembers.objects(
        json.name("found"),
        table.all("linerate_throughput_packets_per_second"),
        found -> {
          json.name("frameBytes").value(SampleTable.number(found, "frame_bytes"));
          json.name("pps").value(found.value());
          json.name("limitedBy").value(label(found, "limited_by"));
        });
    json.endObject();
  }
}
