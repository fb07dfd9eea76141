package io.linerate.dashboard.state;

import static io.linerate.dashboard.http.JsonMembers.numbers;
import static io.linerate.dashboard.state.SampleTable.by;
import static io.linerate.dashboard.state.SampleTable.label;

import com.google.gson.stream.JsonWriter;
import io.linerate.core.counter.Sample;
import io.linerate.dashboard.http.JsonMembers;
import java.io.IOException;
import java.util.Map;

/** What applications count: rules, packet sizes, protocols, delays. */
final class TrafficView implements SampleView {
  @Override
  public void writeMembers(JsonWriter json, SampleTable table) throws IOException {
    rules(json, table);
    JsonMembers.objects(
        json.name("sizes"),
        table.all("linerate_frame_packets_total"),
        sizes -> {
          bound(json, "from", sizes);
          bound(json, "to", sizes);
          json.name("packets").value(sizes.value());
        });
    numbers(json, "protocols", by(table.all("linerate_protocol_packets_total"), "protocol"));
    latency(json, table);
  }

  private static void rules(JsonWriter json, SampleTable table) throws IOException {
    JsonMembers.objects(
        json.name("rules"),
        table.all("linerate_rule_hits_total"),
        rule -> {
          bound(json, "index", rule);
          bound(json, "line", rule);
          json.name("rule").value(label(rule, "rule"));
          json.name("fixed").value(Boolean.parseBoolean(label(rule, "fixed")));
          json.name("hits").value(rule.value());
        });
  }

  /** A whole number, or null for none. */
  private static void bound(JsonWriter json, String label, Sample sample) throws IOException {
    long number = SampleTable.number(sample, label);
    json.name(label).value(number < 0 ? null : Long.valueOf(number));
  }

  private static void latency(JsonWriter json, SampleTable table) throws IOException {
    Map<String, Long> quantiles = by(table.all("linerate_latency_seconds"), "quantile");
    json.name("latency");
    if (quantiles.isEmpty()) {
      json.nullValue();
      return;
    }
    json.beginObject();
    json.name("p50Ns").value(quantiles.getOrDefault("0.5", 0L));
    json.name("p99Ns").value(quantiles.getOrDefault("0.99", 0L));
    json.name("p999Ns").value(quantiles.getOrDefault("0.999", 0L));
    json.name("maxNs").value(quantiles.getOrDefault("1", 0L));
    json.endObject();
  }
}
