package io.linerate.dashboard.state;

import com.google.gson.stream.JsonWriter;
import io.linerate.core.port.PortStatistics;
import io.linerate.core.worker.Engine;
import io.linerate.core.worker.PacketCounts;
import io.linerate.core.worker.PortSummary;
import io.linerate.core.worker.QueuePlace;
import io.linerate.core.worker.Worker;
import io.linerate.core.worker.WorkerLoad;
import java.io.IOException;
import java.util.Map;

/** Ports, queues, workers and totals. */
public final class EngineState implements StateSource {
  private final Engine engine;

  public EngineState(Engine engine) {
    this.engine = engine;
  }

  @Override
  public void writeMembers(JsonWriter json) throws IOException {
    ports(json);
    queues(json);
    workers(json);
    totals(json);
  }

  private void ports(JsonWriter json) throws IOException {
    json.name("ports").beginArray();
    for (PortSummary port : engine.summary().ports()) {
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
      numbers(json, "extended", counts.extended());
      json.endObject();
    }
    json.endArray();
  }

  private void queues(JsonWriter json) throws IOException {
    json.name("queues").beginArray();
    for (QueuePlace place : engine.queues()) {
      json.beginObject();
      json.name("port").value(place.port());
      json.name("queue").value(place.queue());
      json.name("worker").value(place.worker());
      json.name("packets").value(place.packets());
      json.endObject();
    }
    json.endArray();
  }

  private void workers(JsonWriter json) throws IOException {
    json.name("workers").beginArray();
    for (Worker worker : engine.workers()) {
      PacketCounts counts = worker.counts();
      WorkerLoad load = worker.load();
      json.beginObject();
      json.name("id").value(worker.id());
      json.name("busyNs").value(load.busyNs());
      json.name("idleNs").value(load.idleNs());
      json.name("received").value(counts.received());
      json.name("sent").value(counts.sent());
      json.name("inFlight").value(counts.inFlight());
      json.endObject();
    }
    json.endArray();
  }

  private void totals(JsonWriter json) throws IOException {
    PacketCounts counts = engine.summary().packets();
    json.name("totals").beginObject();
    json.name("received").value(counts.received());
    json.name("sent").value(counts.sent());
    json.name("inFlight").value(counts.inFlight());
    numbers(json, "dropped", counts.dropped());
    json.endObject();
  }

  /** Writes a member that is an object of numbers. */
  static void numbers(JsonWriter json, String name, Map<String, Long> numbers) throws IOException {
    json.name(name).beginObject();
    for (Map.Entry<String, Long> number : numbers.entrySet()) {
      json.name(number.getKey()).value(number.getValue());
    }
    json.endObject();
  }
}
