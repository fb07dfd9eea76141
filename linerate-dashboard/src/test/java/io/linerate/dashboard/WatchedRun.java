package io.linerate.dashboard;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.linerate.core.config.EngineConfig;
import io.linerate.core.config.Idle;
import io.linerate.core.worker.Engine;
import io.linerate.dashboard.http.HttpAddress;
import io.linerate.driver.pcap.CaptureWriter;
import io.linerate.graph.Graph;
import io.linerate.graph.GraphRunner;
import io.linerate.graph.element.Counter;
import io.linerate.graph.element.Discard;
import io.linerate.graph.element.FromPort;
import io.linerate.testkit.Frames;
import io.linerate.testkit.Packets;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;

/** A program under full load, its dashboard, and a client of that. */
final class WatchedRun implements AutoCloseable {
  private static final int FRAMES = 4_096;

  final Engine engine;
  final GraphRunner graph;
  final Dashboard dashboard;
  private final HttpClient client = HttpClient.newHttpClient();

  WatchedRun(Path folder) {
    Path file = folder.resolve("in.pcap");
    try (Packets packets = new Packets();
        CaptureWriter writer = CaptureWriter.create(file, 0)) {
      for (byte[] frame : Frames.numbered(FRAMES, 64)) {
        writer.write(packets.of(frame));
      }
    }
    engine =
        new Engine(
            EngineConfig.DEFAULT.withProgramName("test").withIdle(Idle.YIELD).withMaxWorkers(3));
    engine.port("in", "pcap:rx=" + file + ",loop=forever");
    Graph pipeline =
        Graph.of(g ->
            g.chain(
                g.add("from", new FromPort("in")),
                g.add("count", new Counter()),
                g.add("end", new Discard())));
    graph = GraphRunner.install(pipeline, engine);
    engine.start();
    dashboard =
        Dashboard.start(
            DashboardSettings.DEFAULT.withAddress(new HttpAddress("127.0.0.1", 0)),
            new WatchedProgram(engine, graph));
  }

  URI uri(String path) {
    return URI.create(dashboard.url()).resolve(path);
  }

  HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return client.send(HttpRequest.newBuilder(uri(path)).build(), BodyHandlers.ofString());
  }

  /** A change, with the token. */
  HttpResponse<String> change(String method, String path, String body)
      throws IOException, InterruptedException {
    return send(
        request(method, path, body)
            .header("Authorization", "Bearer " + dashboard.token().reveal()));
  }

  HttpRequest.Builder request(String method, String path, String body) {
    return HttpRequest.newBuilder(uri(path))
        .header("Content-Type", "application/json")
        .method(method, BodyPublishers.ofString(body));
  }

  HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
    return client.send(request.build(), BodyHandlers.ofString());
  }

  HttpClient client() {
    return client;
  }

  JsonObject state() throws IOException, InterruptedException {
    return json(get("/api/state")).getAsJsonObject();
  }

  static JsonElement json(HttpResponse<String> response) {
    return JsonParser.parseString(response.body());
  }

  @Override
  public void close() {
    client.shutdownNow();
    client.close();
    dashboard.close();
    engine.close();
    graph.close();
  }
}
