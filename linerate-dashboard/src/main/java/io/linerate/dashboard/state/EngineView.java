package io.linerate.dashboard.state;

import static io.linerate.dashboard.http.JsonMembers.numbers;
import static io.linerate.dashboard.state.SampleTable.by;
import static io.linerate.dashboard.state.SampleTable.label;

import com.google.gson.stream.JsonWriter;
import io.linerate.core.counter.Sample;
import java.io.IOException;
import java.util.Arrays;
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
    json.name("ports").beginArray();
    for (Sample info : table.all("linerate_port_info")) {
      String port = label(info, "port");
      json.beginObject();
      json.name("name").value(port);
      json.name("address").value(label(info, "address"));
      port(json, table, "rxPackets", "received_packets", port);
      port(json, table, "rxBytes", "received_bytes", port);
      port(json, table, "txPackets", "sent_packets", port);
      port(json, table, "txBytes", "sent_bytes", port);
      port(json, table, "missed", "missed_packets", port);
      port(json, table, "errors", "error_packets", port);
      port(json, table, "noBuffers", "no_buffer_packets", port);
      numbers(json, "extended", extended(table, port));
      json.endObject();
    }
    json.endArray();
  }

  /** What the device counts, and what it is. */
  private static Map<String, Long> extended(SampleTable table, String port) {
    Map<String, Long> extended =
        by(table.all("linerate_port_device_total", "port", port), "statistic");
    extended.putAll(by(table.all("linerate_port_device_flag", "port", port), "statistic"));
    return extended;
  }

  private static void port(
      JsonWriter json, SampleTable table, String member, String what, String port)
      throws IOException {
    json.name(member).value(table.value("linerate_port_" + what + "_total", "port", port));
  }

  private static void queues(JsonWriter json, SampleTable table) throws IOException {
    json.name("queues").beginArray();
    for (Sample place : table.all("linerate_queue_worker")) {
      String port = label(place, "port");
      String queue = label(place, "queue");
      json.beginObject();
      json.name("port").value(port);
      json.name("queue").value(Long.parseLong(queue));
      json.name("worker").value(place.value());
      json.name("packets")
          .value(
              table.all("linerate_queue_received_packets_total", "port", port).stream()
                  .filter(sample -> label(sample, "queue").equals(queue))
                  .mapToLong(Sample::value)
                  .sum());
      json.endObject();
    }
    json.endArray();
  }

  private static void workers(JsonWriter json, SampleTable table) throws IOException {
    json.name("workers").beginArray();
    for (Sample cpu : table.all("linerate_worker_cpu")) {
      String worker = label(cpu, "worker");
      json.beginObject();
      json.name("id").value(Long.parseLong(worker));
      json.name("cpu").value(cpu.value());
      worker(json, table, "busyNs", "busy_seconds_total", worker);
      worker(json, table, "idleNs", "idle_seconds_total", worker);
      worker(json, table, "emptyPolls", "empty_polls_total", worker);
      worker(json, table, "received", "received_packets_total", worker);
      worker(json, table, "sent", "sent_packets_total", worker);
      worker(json, table, "inFlight", "in_flight_packets", worker);
      json.name("burstSizes").beginArray();
      for (long bursts : burstSizes(table, worker)) {
        json.value(bursts);
      }
      json.endArray();
      json.endObject();
    }
    json.endArray();
  }

  /** Bursts of 2^n to 2^(n+1) - 1 packets at place n, up to the largest that there were. */
  private static long[] burstSizes(SampleTable table, String worker) {
    long[] sizes = new long[0];
    for (Sample bursts : table.all("linerate_worker_bursts_total", "worker", worker)) {
      int place = Long.SIZE - 1 - Long.numberOfLeadingZeros(Long.parseLong(label(bursts, "from")));
      sizes = place < sizes.length ? sizes : Arrays.copyOf(sizes, place + 1);
      sizes[place] = bursts.value();
    }
    return sizes;
  }

  private static void worker(
      JsonWriter json, SampleTable table, String member, String what, String worker)
      throws IOException {
    json.name(member).value(table.value("linerate_worker_" + what, "worker", worker));
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
    json.endObject();
  }

  private static void pools(JsonWriter json, SampleTable table) throws IOException {
    json.name("pools").beginArray();
    for (Sample pool : table.all("linerate_pool_buffers")) {
      String name = label(pool, "pool");
      json.beginObject();
      json.name("name").value(name);
      json.name("capacity").value(pool.value());
      json.name("available").value(table.value("linerate_pool_available_buffers", "pool", name));
      json.endObject();
    }
    json.endArray();
  }
}
