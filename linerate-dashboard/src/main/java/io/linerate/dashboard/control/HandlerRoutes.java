package io.linerate.dashboard.control;

import static io.linerate.dashboard.http.RouteParameter.member;

import io.linerate.dashboard.http.Call;
import io.linerate.dashboard.http.JsonMembers;
import io.linerate.dashboard.http.Members;
import io.linerate.dashboard.http.RateLimit;
import io.linerate.dashboard.http.Refusal;
import io.linerate.dashboard.http.Route;
import io.linerate.graph.GraphRunner;
import io.linerate.graph.PlacedElement;
import io.linerate.graph.Reading;
import java.io.IOException;
import java.util.List;

/** The values of elements, and the places of stages, over HTTP. */
public final class HandlerRoutes {
  private static final String PATH = "/api/handlers/{element}/{handler}";

  /** Values a second: workers read them, between two bursts. */
  private static final int READS_PER_S = 25;

  private final RateLimit ownersReads = reads();
  private final RateLimit othersReads = reads();
  private final GraphRunner graph;

  public HandlerRoutes(GraphRunner graph) {
    this.graph = graph;
  }

  public List<Route> routes() {
    return List.of(
        Route.get(
            "/api/explain",
            "Says which elements are on which worker, and what they hand on to whom.",
            call -> call.object(json -> json.name("text").value(graph.explain()))),
        Route.get(PATH, "Reads a value of an element, between two bursts.", this::read),
        Route.change("PUT", PATH, "Writes a value of an element, between two bursts.", this::write)
            .with(member("value", "string", "In the form that reading it has.")),
        Route.change(
                "POST",
                "/api/stages/move",
                "Gives a stage that is left to the engine to another worker, or back to the balancer.",
                this::move)
            .with(
                member("element", "string", "Any of the stage."),
                member(
                    "worker", "integer", "Its next worker; left out: the balancer may choose.")));
  }

  private void move(Call call) throws IOException {
    Members body = call.members("element", "worker");
    String element = body.text("element");
    int worker = body.optionalNumber("worker", 0, Integer.MAX_VALUE).orElse(PlacedElement.ANYWHERE);
    try {
      graph.move(element, worker);
    } catch (IllegalStateException e) { // A worker does not answer, or was interrupted.
      throw new Refusal(504, String.valueOf(e.getMessage()));
    }
    call.done();
  }

  private static RateLimit reads() {
    return new RateLimit(READS_PER_S, System::nanoTime);
  }

  private static String name(Call call) {
    return call.variable("element") + "." + call.variable("handler");
  }

  private void read(Call call) throws IOException {
    if (!(call.isOwner() ? ownersReads : othersReads).take()) {
      throw new Refusal(429, "too many values are read, each by the workers; ask less often");
    }
    Reading reading = graph.read(name(call));
    call.object(json -> {
      json.name("name").value(reading.name());
      json.name("type").value(reading.type().name());
      json.name("value").value(reading.text());
      JsonMembers.texts(json, "perWorker", reading.texts());
    });
  }

  private void write(Call call) throws IOException {
    graph.write(name(call), call.members("value").text("value"));
    call.done();
  }
}
