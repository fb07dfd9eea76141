package io.linerate.dashboard.state;

import static io.linerate.dashboard.http.JsonMembers.numbers;
import static io.linerate.dashboard.state.SampleTable.by;
import static io.linerate.dashboard.state.SampleTable.label;

import com.google.gson.stream.JsonWriter;
import io.linerate.core.counter.Sample;
import java.io.IOException;
import java.util.Map;
import java.util.function.Supplier;

/** Elements and edges. */
final class GraphView implements SampleView {
  private final Supplier<Map<String, String>> pages;

  /**
   * @param pages of the elements' manual, by their names
   */
  GraphView(Supplier<Map<String, String>> pages) {
    this.pages = pages;
  }

  @Override
  public void writeMembers(JsonWriter json, SampleTable table) throws IOException {
    Map<String, String> docs = pages.get();
    json.name("elements").beginArray();
    for (Sample info : table.all("linerate_element_info")) {
      element(json, table, info, docs.getOrDefault(label(info, "element"), ""));
    }
    json.endArray();
    json.name("edges").beginArray();
    for (Sample packets : table.all("linerate_edge_packets_total")) {
      json.beginObject();
      for (String end : new String[] {"from", "output", "to", "input"}) {
        json.name(end).value(label(packets, end));
      }
      json.name("packets").value(packets.value());
      json.name("bytes").value(bytes(table, packets));
      json.endObject();
    }
    json.endArray();
  }

  private static long bytes(SampleTable table, Sample edge) {
    return table.all("linerate_edge_bytes_total", "from", label(edge, "from")).stream()
        .filter(sample -> sample.labels().equals(edge.labels()))
        .mapToLong(Sample::value)
        .sum();
  }

  private static void element(JsonWriter json, SampleTable table, Sample info, String doc)
      throws IOException {
    String name = label(info, "element");
    json.beginObject();
    json.name("name").value(name);
    json.name("type").value(label(info, "type"));
    json.name("parameters").value(label(info, "parameters"));
    json.name("doc").value(doc);
    number(json, table, "packetsIn", "received_packets_total", name);
    number(json, table, "bytesIn", "received_bytes_total", name);
    number(json, table, "packetsOut", "sent_packets_total", name);
    number(json, table, "bytesOut", "sent_bytes_total", name);
    numbers(
        json,
        "dropped",
        by(table.all("linerate_element_dropped_packets_total", "element", name), "reason"));
    number(json, table, "made", "made_packets_total", name);
    number(json, table, "held", "held_packets", name);
    json.name("handlers").beginArray();
    for (Sample handler : table.all("linerate_handler_info", "element", name)) {
      json.beginObject();
      json.name("name").value(label(handler, "handler"));
      json.name("type").value(label(handler, "type"));
      json.name("readable").value(Boolean.parseBoolean(label(handler, "readable")));
      json.name("writable").value(Boolean.parseBoolean(label(handler, "writable")));
      json.endObject();
    }
    json.endArray();
    json.endObject();
  }

  private static void number(
      JsonWriter json, SampleTable table, String member, String what, String element)
      throws IOException {
    json.name(member).value(table.value("linerate_element_" + what, "element", element));
  }
}
