package io.linerate.dashboard.state;

import static io.linerate.dashboard.http.JsonMembers.numbers;
import static io.linerate.dashboard.state.SampleTable.by;
import static io.linerate.dashboard.state.SampleTable.label;

import com.google.gson.stream.JsonWriter;
import io.linerate.core.counter.Sample;
import io.linerate.dashboard.http.JsonMembers;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Elements and edges. */
record GraphView(Supplier<Map<String, String>> pages) implements SampleView {
  @Override
  public void writeMembers(JsonWriter json, SampleTable table) throws IOException {
    Map<String, String> docs = pages.get();
    JsonMembers.objects(
        json.name("elements"),
        table.all("linerate_element_info"),
        info -> element(json, table, info, docs.getOrDefault(label(info, "element"), "")));
    JsonMembers.objects(
        json.name("edges"),
        table.all("linerate_edge_packets_total"),
        edge -> {
          for (String end : new String[] {"from", "output", "to", "input"}) {
            json.name(end).value(label(edge, end));
          }
          json.name("packets").value(edge.value());
          json.name("bytes").value(total(table, edge, "linerate_edge_bytes_total"));
          long tokens = total(table, edge, "linerate_edge_tokens_total");
          if (tokens > 0) {
            json.name("tokens").value(tokens);
          }
        });
  }

  private static long total(SampleTable table, Sample edge, String of) {
    return table.all(of, "from", label(edge, "from")).stream()
        .filter(sample -> sample.labels().equals(edge.labels()))
        .mapToLong(Sample::value)
        .sum();
  }

  /** What it has taken of each worker's time. */
  private static void times(JsonWriter json, SampleTable table, String element) throws IOException {
    String timed = "linerate_element_timed_";
    Map<String, Long> bursts = byWorker(table, timed + "bursts_total", element);
    Map<String, Long> packets = byWorker(table, timed + "packets_total", element);
    JsonMembers.objects(
        json.name("timed"),
        table.all(timed + "seconds_total", "element", element),
        time -> {
          String worker = label(time, "worker");
          json.name("worker").value(SampleTable.number(time, "worker"));
          json.name("bursts").value(bursts.getOrDefault(worker, 0L));
          json.name("packets").value(packets.getOrDefault(worker, 0L));
          json.name("ns").value(time.value());
        });
  }

  private static Map<String, Long> byWorker(SampleTable table, String sample, String element) {
    return by(table.all(sample, "element", element), "worker");
  }

  /** A number that only some elements have. */
  private static void gauge(JsonWriter json, String member, List<Sample> gauge) throws IOException {
    if (!gauge.isEmpty()) {
      json.name(member).value(gauge.getFirst().value());
    }
  }

  /** The workers of an element that is not on all of them. */
  private static void workers(JsonWriter json, List<Sample> workers) throws IOException {
    if (!workers.isEmpty()) {
      json.name("workers").beginArray();
      for (Sample worker : workers) {
        json.value(SampleTable.number(worker, "worker"));
      }
      json.endArray();
    }
  }

  /** The ports whose packets an element brings, and those that it sends to. */
  private static void ports(JsonWriter json, List<Sample> ports) throws IOException {
    for (String direction : new String[] {"receive", "transmit"}) {
      JsonMembers.texts(
          json,
          direction + "s",
          ports.stream()
              .filter(port -> label(port, "direction").equals(direction))
              .map(port -> label(port, "port"))
              .toList());
    }
  }

  /** Of elements that have had some. */
  private static void tokens(JsonWriter json, SampleTable table, String element)
      throws IOException {
    String sample = "linerate_element_";
    gauge(json, "tokensIn", table.all(sample + "received_tokens_total", "element", element));
    gauge(json, "tokensOut", table.all(sample + "sent_tokens_total", "element", element));
    gauge(json, "tokensHeld", table.all(sample + "held_tokens", "element", element));
    List<Sample> dropped = table.all(sample + "dropped_tokens_total", "element", element);
    if (!dropped.isEmpty()) {
      numbers(json, "tokensDropped", by(dropped, "reason"));
    }
  }

  private static void element(JsonWriter json, SampleTable table, Sample info, String doc)
      throws IOException {
    String name = label(info, "element");
    json.name("name").value(name);
    json.name("type").value(label(info, "type"));
    json.name("parameters").value(label(info, "parameters"));
    json.name("doc").value(doc);
    table.number(json, "packetsIn", "element", name, "received_packets_total");
    table.number(json, "bytesIn", "element", name, "received_bytes_total");
    table.number(json, "packetsOut", "element", name, "sent_packets_total");
    table.number(json, "bytesOut", "element", name, "sent_bytes_total");
    numbers(
        json,
        "dropped",
        by(table.all("linerate_element_dropped_packets_total", "element", name), "reason"));
    table.number(json, "made", "element", name, "made_packets_total");
    table.number(json, "held", "element", name, "held_packets");
    tokens(json, table, name);
    times(json, table, name);
    gauge(json, "capacity", table.all("linerate_element_capacity_packets", "element", name));
    gauge(json, "peak", table.all("linerate_element_peak_packets", "element", name));
    workers(json, table.all("linerate_element_worker_info", "element", name));
    ports(json, table.all("linerate_element_port_info", "element", name));
    List<Sample> handlers = table.all("linerate_handler_info", "element", name);
    JsonMembers.objects(
        json.name("handlers"),
        handlers,
        handler -> {
          json.name("name").value(label(handler, "handler"));
          json.name("type").value(label(handler, "type"));
          json.name("readable").value(Boolean.parseBoolean(label(handler, "readable")));
          json.name("writable").value(Boolean.parseBoolean(label(handler, "writable")));
        });
  }
}
