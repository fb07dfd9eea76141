package io.linerate.dashboard.control;

import static io.linerate.dashboard.http.RouteParameter.member;

import com.google.gson.stream.JsonWriter;
import io.linerate.dashboard.http.Call;
import io.linerate.dashboard.http.JsonMembers;
import io.linerate.dashboard.http.Members;
import io.linerate.dashboard.http.Refusal;
import io.linerate.dashboard.http.Route;
import io.linerate.graph.Edge;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.util.List;

/** Taps over HTTP. */
public record TapRoutes(Taps taps) {
  private static final String PATH = "/api/taps";
  private static final int MAX_PACKETS = 1_000_000;

  public List<Route> routes() {
    return List.of(
        Route.get(PATH, "The taps that there are.", call -> call.json(this::list)),
        Route.change("POST", PATH, "Captures the next packets that pass an edge.", this::add)
            .with(
                member("edge", "object", "Its from, output, to and input, as the state has them."),
                member("packets", "integer", "As many at most: 1 to 1000000, and 64 MiB.")),
        Route.get(PATH + "/{id}", "What was captured until now, as pcapng.", this::download)
            .guarded(),
        Route.change("DELETE", PATH + "/{id}", "Ends a tap and forgets it.", this::remove));
  }

  /** Writes the taps as an array. */
  public void list(JsonWriter json) throws IOException {
    JsonMembers.objects(
        json,
        taps.all(),
        tap -> {
          json.name("id").value(tap.id());
          json.name("edge").beginObject();
          json.name("from").value(tap.edge().from());
          json.name("output").value(tap.edge().output());
          json.name("to").value(tap.edge().to());
          json.name("input").value(tap.edge().input());
          json.endObject();
          json.name("packets").value(tap.file().tap().packets());
          json.name("maxPackets").value(tap.file().tap().maxPackets());
          json.name("running").value(!tap.file().tap().hasEnded());
        });
  }

  private void add(Call call) throws IOException {
    Members body = call.members("edge", "packets");
    Members edge = body.object("edge", "from", "output", "to", "input");
    String id =
        taps.add(
            new Edge(edge.text("from"), edge.text("output"), edge.text("to"), edge.text("input")),
            body.number("packets", 1, MAX_PACKETS));
    call.object(json -> json.name("id").value(id));
  }

  private void download(Call call) throws IOException {
    Taps.OneTap tap = taps.find(call.variable("id")).orElseThrow(() -> noTap(call));
    try (FileChannel content = tap.file().content()) {
      call.header("Content-Disposition", "attachment; filename=\"" + tap.element() + ".pcapng\"");
      call.copy("application/x-pcapng", Channels.newInputStream(content), content.size());
    }
  }

  private void remove(Call call) throws IOException {
    if (!taps.remove(call.variable("id"))) {
      throw noTap(call);
    }
    call.done();
  }

  private static Refusal noTap(Call call) {
    return new Refusal(404, "no such tap: id=" + call.variable("id"));
  }
}
