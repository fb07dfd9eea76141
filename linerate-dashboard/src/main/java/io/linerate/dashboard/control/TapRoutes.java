package io.linerate.dashboard.control;

import static io.linerate.dashboard.http.RouteParameter.member;
import static io.linerate.dashboard.http.RouteParameter.optionalMember;

import com.google.gson.stream.JsonWriter;
import io.linerate.core.memory.ReceiveFilter;
import io.linerate.dashboard.http.Call;
import io.linerate.dashboard.http.JsonMembers;
import io.linerate.dashboard.http.Members;
import io.linerate.dashboard.http.Refusal;
import io.linerate.dashboard.http.Route;
import io.linerate.driver.pcap.CaptureWriter;
import io.linerate.driver.pcap.DropCapture;
import io.linerate.driver.pcap.DropFilter;
import io.linerate.graph.Edge;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.util.List;
import java.util.Optional;

/** Taps over HTTP. */
public record TapRoutes(Taps taps) {
  private static final String PATH = "/api/taps";
  private static final int MAX_PACKETS = 1_000_000;

  public List<Route> routes() {
    return List.of(
        Route.get(PATH, "The taps that there are.", call -> call.json(this::list)),
        Route.change(
                "POST",
                PATH,
                "Captures the next packets that pass an edge, or that are dropped: one of both.",
                this::add)
            .with(
                optionalMember(
                    "edge", "object", "Its from, output, to and input, as the state has them."),
                optionalMember(
                    "drops",
                    "object",
                    "Those of this reason and of this element; without reason, all that are lost."),
                member("packets", "integer", "As many at most: 1 to 1000000, and 64 MiB."),
                optionalMember(
                    "filter", "string", "Only packets that it accepts, as pcap-filter(7) has it."),
                optionalMember(
                    "snapBytes", "integer", "Bytes of each packet at most: 1 to 262144, or all.")),
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
          source(json, tap.source());
          json.name("filter")
              .value(tap.source().filter().map(ReceiveFilter::expression).orElse(null));
          json.name("packets").value(tap.file().tap().packets());
          json.name("maxPackets").value(tap.file().tap().maxPackets());
          json.name("snapBytes").value(tap.file().tap().snapLengthBytes());
          json.name("missed").value(tap.missed());
          json.name("running").value(!tap.file().tap().hasEnded());
        });
  }

  /** What the tap was asked for: a member {@code edge}, or {@code drops}. */
  private static void source(JsonWriter json, TapSource source) throws IOException {
    switch (source) {
      case TapSource.OfEdge(Edge edge, var _) -> {
        json.name("edge").beginObject();
        json.name("from").value(edge.from());
        json.name("output").value(edge.output());
        json.name("to").value(edge.to());
        json.name("input").value(edge.input());
      }
      case TapSource.OfDrops(DropFilter filter, DropCapture _) -> {
        json.name("drops").beginObject();
        json.name("reason").value(filter.reason().orElse(null));
        json.name("element").value(filter.element().orElse(null));
      }
    }
    json.endObject();
  }

  private void add(Call call) throws IOException {
    Members body = call.members("edge", "drops", "packets", "filter", "snapBytes");
    int packets = body.number("packets", 1, MAX_PACKETS);
    int snapBytes =
        body.optionalNumber("snapBytes", 1, CaptureWriter.MAX_SNAP_LENGTH_BYTES).orElse(0);
    if (body.has("edge") == body.has("drops")) {
      throw new Refusal(400, "nothing or too much to capture; write one of edge and drops");
    }
    Optional<ReceiveFilter> filter = body.optionalText("filter").map(TapFilter::ofRequest);
    String id =
        body.has("drops")
            ? taps.add(drops(body.object("drops", "reason", "element"), filter), packets, snapBytes)
            : taps.add(
                edge(body.object("edge", "from", "output", "to", "input")),
                filter,
                packets,
                snapBytes);
    call.object(json -> json.name("id").value(id));
  }

  private static Edge edge(Members edge) {
    return new Edge(edge.text("from"), edge.text("output"), edge.text("to"), edge.text("input"));
  }

  private static DropFilter drops(Members drops, Optional<ReceiveFilter> filter) {
    return new DropFilter(drops.optionalText("reason"), drops.optionalText("element"), filter);
  }

  private void download(Call call) throws IOException {
    Taps.OneTap tap = taps.find(call.variable("id")).orElseThrow(() -> noTap(call));
    try (FileChannel content = tap.file().content()) {
      call.header("Content-Disposition", "attachment; filename=\"tap-" + tap.id() + ".pcapng\"");
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
