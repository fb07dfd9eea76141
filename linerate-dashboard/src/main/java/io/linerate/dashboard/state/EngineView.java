package io.linerate.dashboard.state;

import static io.linerate.dashboard.http.JsonMembers.numbers;
import static io.linerate.dashboard.state.SampleTable.by;
import static io.linerate.dashboard.state.SampleTable.label;

import com.google.gson.stream.JsonWriter;
import io.linerate.core.counter.Sample;
import io.linerate.dashboard.http.JsonMembers;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Ports, queues, workers, pools and totals. */
final class EngineView implements SampleView {
  @Override
  public void writeMembers(JsonWriter json, SampleTable table) throws IOException {
    ports(json, table);
    queues(json, table);
    workers(json, table);
    totals(json, table);
    pools(json, table);
  }

  private static void ports(JsonWriter json, SampleTable table) throws IOException {
    JsonMembers.objects(
        json.name("ports"),
        table.all("linerate_port_info"),
        info -> {
          String port = label(info, "port");
          json.name("name").value(port);
          json.name("address").value(label(info, "address"));
          json.name("linktype").value(label(info, "linktype"));
          link(json, table.all("linerate_port_link_up", "port", port), table);
          table.number(json, "rxPackets", "port", port, "received_packets_total");
          table.number(json, "rxBytes", "port", port, "received_bytes_total");
          table.number(json, "txPackets", "port", port, "sent_packets_total");
          table.number(json, "txBytes", "port", port, "sent_bytes_total");
          table.number(json, "missed", "port", port, "missed_packets_total");
          table.number(json, "errors", "port", port, "error_packets_total");
          table.number(json, "noBuffers", "port", port, "no_buffer_packets_total");
          numbers(json, "extended", extended(table, port));
          json.name("steering").beginArray();
          for (Sample rule : table.all("linerate_port_steering_info", "port", port)) {
            json.value(label(rule, "rule"));
          }
          json.endArray();
        });
  }

  /** Of a port that has a link. */
  private static void link(JsonWriter json, List<Sample> up, SampleTable table) throws IOException {
    for (Sample link : up) {
      json.name("linkUp").value(link.value() == 1);
      table.number(json, "linkDowns", "port", label(link, "port"), "link_downs_total");
    }
  }

  /** What the device counts, and what it is. */
  private static Map<String, Long> extended(SampleTable table, String port) {
    Map<String, Long> extended =
        by(table.all("linerate_port_device_total", "port", port), "statistic");
    extended.putAll(by(table.all("linerate_port_device_flag", "port", port), "statistic"));
    return extended;
  }

  private static void queues(JsonWriter json, SampleTable table) throws IOException {
    JsonMembers.objects(
        json.name("queues"),
        table.all("linerate_queue_worker"),
        place -> {
          String port = label(place, "port");
          String queue = label(place, "queue");
          List<Sample> received = table.all("linerate_queue_received_packets_total", "port", port);
          json.name("port").value(port);
          json.name("queue").value(SampleTable.number(place, "queue"));
          json.name("worker").value(place.value());
          json.name("packets").value(by(received, "queue").getOrDefault(queue, 0L));
        });
  }

  private static void workers(JsonWriter json, SampleTable table) throws IOException {
    JsonMembers.objects(
        json.name("workers"),
        table.all("linerate_worker_cpu"),
        cpu -> {
          String worker = label(cpu, "worker");
          json.name("id").value(SampleTable.number(cpu, "worker"));
          json.name("cpu").value(cpu.value());
          table.number(json, "busyNs", "worker", worker, "busy_seconds_total");
          table.number(json, "idleNs", "worker", worker, "idle_seconds_total");
          table.number(json, "emptyPolls", "worker", worker, "empty_polls_total");
          table.number(json, "received", "worker", worker, "received_packets_total");
          table.number(json, "sent", "worker", worker, "sent_packets_total");
          table.number(json, "inFlight", "worker", worker, "in_flight_packets");
          json.name("burstSizes").beginArray();
          for (long bursts : burstSizes(table, worker)) {
            json.value(bursts);
          }
          json.endArray();
        });
  }

  /** Bursts of 2^n to 2^(n+1) - 1 packets at place n, up to the largest that there were. */
  private static long[] burstSizes(SampleTable table, String worker) {
    long[] sizes = new long[0];
    for (Sample bursts : table.all("linerate_worker_bursts_total", "worker", worker)) {
      long from = Math.max(1, SampleTable.number(bursts, "from"));
      int place = Long.SIZE - 1 - Long.numberOfLeadingZeros(from);
      sizes = place < sizes.length ? sizes : Arrays.copyOf(sizes, place + 1);
      sizes[place] = bursts.value();
    }
    return sizes;
  }

  private static void totals(JsonWriter json, SampleTable table) throws IOException {
    json.name("totals").beginObject();
    json.name("received").value(table.value("linerate_received_packets_total"));
    json.name("sent").value(table.value("linerate_sent_packets_total"));
    json.name("made").value(table.value("linerate_made_packets_total"));
    json.name("takenOver").value(table.value("linerate_taken_over_packets_total"));
    json.name("handedOver").value(table.value("linerate_handed_over_packets_total"));
    json.name("inFlight").value(table.value("linerate_in_flight_packets"));
    numbers(json, "dropped", by(table.all("linerate_dropped_packets_total"), "reason"));
    json.name("lost").value(table.lost());
    json.endObject();
  }

  private static void pools(JsonWriter json, SampleTable table) throws IOException {
    JsonMembers.objects(
        json.name("pools"),
        table.all("linerate_pool_buffers"),
        pool -> {
          json.name("name").value(label(pool, "pool"));
          json.name("capacity").value(pool.value());
          table.number(json, "available", "pool", label(pool, "pool"), "available_buffers");
        });
  }
}
