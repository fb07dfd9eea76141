package io.linerate.dashboard.state;

import com.google.gson.stream.JsonWriter;
import io.linerate.graph.EdgeCounts;
import io.linerate.graph.ElementCounts;
import io.linerate.graph.GraphRunner;
import io.linerate.graph.HandlerInfo;
import io.linerate.graph.PlacedElement;
import java.io.IOException;
import java.util.Map;

/** Elements and edges. */
public final class GraphState implements StateSource {
  private final GraphRunner graph;

  public GraphState(GraphRunner graph) {
    this.graph = graph;
  }

  @Override
  public void writeMembers(JsonWriter json) throws IOException {
    Map<String, ElementCounts> counts = graph.counts();
    json.name("elements").beginArray();
    for (PlacedElement placed : graph.graph().elements()) {
      element(json, placed, counts.getOrDefault(placed.name(), ElementCounts.NONE));
    }
    json.endArray();
    json.name("edges").beginArray();
    for (EdgeCounts edge : graph.edges()) {
      json.beginObject();
      json.name("from").value(edge.edge().from());
      json.name("output").value(edge.edge().output());
      json.name("to").value(edge.edge().to());
      json.name("input").value(edge.edge().input());
      json.name("packets").value(edge.packets());
      json.name("bytes").value(edge.bytes());
      json.endObject();
    }
    json.endArray();
  }

  private void element(JsonWriter json, PlacedElement placed, ElementCounts counts)
      throws IOException {
    json.beginObject();
    json.name("name").value(placed.name());
    json.name("type").value(placed.element().getClass().getSimpleName());
    json.name("parameters").value(placed.element().toString());
    json.name("packetsIn").value(counts.packetsIn());
    json.name("bytesIn").value(counts.bytesIn());
    json.name("packetsOut").value(counts.packetsOut());
    json.name("bytesOut").value(counts.bytesOut());
    EngineState.numbers(json, "dropped", counts.dropped());
    json.name("made").value(counts.made());
    json.name("held").value(counts.held());
    json.name("handlers").beginArray();
    for (HandlerInfo handler : graph.handlers(placed.name())) {
      json.beginObject();
      json.name("name").value(handler.name());
      json.name("type").value(handler.type().name());
      json.name("readable").value(handler.isReadable());
      json.name("writable").value(handler.isWritable());
      json.endObject();
    }
    json.endArray();
    json.endObject();
  }
}
