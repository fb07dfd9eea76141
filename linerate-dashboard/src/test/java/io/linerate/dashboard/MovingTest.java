package io.linerate.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import io.linerate.core.config.EngineConfig;
import io.linerate.core.port.DriverPort;
import io.linerate.core.statistics.PacketCounts;
import io.linerate.core.worker.Engine;
import io.linerate.dashboard.http.HttpAddress;
import io.linerate.graph.Graph;
import io.linerate.graph.GraphRunner;
import io.linerate.graph.element.FromPort;
import io.linerate.graph.element.ToPort;
import io.linerate.testkit.FlowTraffic;
import io.linerate.testkit.Soak;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Queues move and workers come and go over HTTP, under load: every flow stays whole and in order.
 */
class MovingTest {
  private static final int QUEUES = 4;
  private static final int ROUNDS = Soak.times(30, 1_000);
  private static final int MOVES = 5;

  private static EngineConfig config() {
    // Outputs wait for a collector that other programs keep from its CPU.
    return EngineConfig.DEFAULT.withTxRetryUs(1_000_000).withQueues(QUEUES).withMaxWorkers(3);
  }

  @Test
  @Tag("sampled")
  void shouldLoseAndReorderNothing() throws Exception {
    try (Engine engine = new Engine(config())) {
      engine.port("in", "ring:in,size=1024");
      DriverPort feed = engine.drivers().open("feed", "ring:in");
      engine.port("out", "ring:out,size=1024");
      DriverPort collect = engine.drivers().open("collect", "ring:out");
      Graph pipeline =
          Graph.of(g -> g.chain(g.add("from", new FromPort("in")), g.add("to", new ToPort("out"))));
      try (GraphRunner graph = GraphRunner.install(pipeline, engine);
          FlowTraffic traffic = new FlowTraffic(engine, feed, collect, QUEUES, 10_000);
          Dashboard dashboard =
              Dashboard.start(
                  DashboardSettings.DEFAULT.withAddress(new HttpAddress("127.0.0.1", 0)),
                  new WatchedProgram(engine, graph));
          HttpClient client = HttpClient.newHttpClient()) {
        engine.start();
        traffic.start();
        moveAbout(engine, traffic, dashboard, client);
        client.shutdownNow();
        traffic.finish();
        engine.stop();
        assertThat(engine.awaitEnd(60_000)).isTrue();
      }
      PacketCounts packets = engine.summary().packets();
      assertThat(packets.isConserved()).isTrue();
      assertThat(packets.sent()).isEqualTo(packets.received()).isPositive();
    }
  }

  private static void moveAbout(
      Engine engine, FlowTraffic traffic, Dashboard dashboard, HttpClient client) throws Exception {
    Random random = new Random(Soak.seed(5));
    for (int round = 0; round < ROUNDS; round++) {
      String added = change(dashboard, client, "POST", "/api/workers", "{}");
      int worker = JsonParser.parseString(added).getAsJsonObject().get("worker").getAsInt();
      change(dashboard, client, "POST", "/api/queues/spread", "{}");
      assertThat(engine.queues()).filteredOn(place -> place.worker() == worker).isNotEmpty();
      for (int move = 0; move < MOVES; move++) {
        int queue = random.nextInt(QUEUES);
        int target = engine.workers().get(random.nextInt(2)).id();
        String order = "{\"port\": \"in\", \"queue\": %d, \"worker\": %d}".formatted(queue, target);
        change(dashboard, client, "POST", "/api/queues/move", order);
        assertThat(engine.queues().get(queue).worker()).isEqualTo(target);
      }
      change(dashboard, client, "DELETE", "/api/workers/" + engine.workers().getFirst().id(), "");
      traffic.collected();
    }
  }

  private static String change(
      Dashboard dashboard, HttpClient client, String method, String path, String body)
      throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(dashboard.url()).resolve(path))
            .header("Content-Type", "application/json")
            .header("Authorization", "Bearer " + dashboard.token().reveal())
            .method(method, BodyPublishers.ofString(body))
            .build();
    HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
    while (response.statusCode() == 429) { // A fast machine asks more often than it may.
      Thread.sleep(50);
      response = client.send(request, BodyHandlers.ofString());
    }
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    return response.body();
  }
}
