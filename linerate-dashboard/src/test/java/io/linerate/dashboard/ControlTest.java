package io.linerate.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.linerate.core.log.LogEntry;
import io.linerate.core.log.ProgramLog;
import io.linerate.core.statistics.PacketCounts;
import io.linerate.graph.Element;
import io.linerate.graph.Graph;
import io.linerate.graph.ValueType;
import io.linerate.graph.Wiring;
import io.linerate.graph.element.Counter;
import io.linerate.graph.element.Discard;
import io.linerate.graph.element.FromPort;
import io.linerate.testkit.CommentedPacket;
import java.lang.System.Logger.Level;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a running program can be told to do. */
class ControlTest {
  private static final String TAP =
      """
      {"edge": {"from": "from", "output": "out", "to": "count", "input": "in"}, "packets": 100}\
      """;

  @TempDir Path folder;
  private WatchedRun run;

  @BeforeEach
  void start() {
    run = new WatchedRun(folder);
  }

  @AfterEach
  void end() {
    run.close();
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
    while (!condition.getAsBoolean() && System.nanoTime() < endNs) {
      Thread.sleep(5);
    }
    assertThat(condition.getAsBoolean()).isTrue();
  }

  @Test
  void shouldReadAndWriteValuesOfElements() throws Exception {
    JsonObject reading = WatchedRun.json(run.get("/api/handlers/count/packets")).getAsJsonObject();

    assertThat(reading.get("name").getAsString()).isEqualTo("count.packets");
    assertThat(reading.get("type").getAsString()).isEqualTo("number");
    assertThat(reading.get("perWorker").getAsJsonArray()).hasSize(1);
    assertThat(run.get("/api/handlers/nobody/packets").statusCode()).isEqualTo(400);
    HttpResponse<String> written =
        run.change("PUT", "/api/handlers/count/packets", "{\"value\": 1}");
    assertThat(written.statusCode()).isEqualTo(400);
    assertThat(written.body())
        .contains("element has no such value to write: element")
        .contains("packets; it has none");
  }

  /** Takes no text but one, and fails at another. */
  private record Choosy() implements Element {
    @Override
    public void open(Wiring wiring) {
      wiring.input("in", wiring.output("out"));
      wiring.write("word", ValueType.TEXT, Choosy::take);
    }

    private static void take(String word) {
      switch (word) {
        case "good" -> {}
        case "bug" -> throw new IllegalStateException("wanted by the test");
        case "silent" -> throw new IllegalArgumentException();
        default -> throw new IllegalArgumentException("not a word: word=" + word + "; write good");
      }
    }
  }

  /** What is wrong with the value is told to who wrote it; what is wrong here, to the log. */
  @Test
  void shouldSayWhyAValueCannotBeWritten() throws Exception {
    run.graph.change(
        Graph.of(g ->
            g.chain(
                g.add("from", new FromPort("in")),
                g.add("choosy", new Choosy()),
                g.add("end", new Discard()))));

    assertThat(write("good").statusCode()).isEqualTo(200);
    HttpResponse<String> wrong = write("evil");
    assertThat(wrong.statusCode()).isEqualTo(400);
    assertThat(wrong.body()).isEqualTo("{\"error\":\"not a word: word=evil; write good\"}");
    HttpResponse<String> silent = write("silent");
    assertThat(silent.statusCode()).isEqualTo(400);
    assertThat(silent.body()).contains("value cannot be: value=silent");
    assertThat(logged()).noneMatch(text -> text.contains("not a word"));
    HttpResponse<String> failed = write("bug");
    assertThat(failed.statusCode()).isEqualTo(500);
    assertThat(failed.body()).contains("the program could not do that; its log says why");
    assertThat(logged())
        .contains(
            "request failed: method=PUT: java.lang.IllegalStateException: wanted by the test");
  }

  private static List<String> logged() {
    return ProgramLog.current().orElseThrow().entries().stream().map(LogEntry::text).toList();
  }

  private HttpResponse<String> write(String word) throws Exception {
    return run.change("PUT", "/api/handlers/choosy/word", "{\"value\": \"" + word + "\"}");
  }

  /** By their path, which is one part of the address. */
  @Test
  void shouldReadValuesOfElementsOfParts() throws Exception {
    Graph counting =
        Graph.of(g -> g.chain(g.input("in"), g.add("seen", new Counter()), g.output("out")));
    run.graph.change(
        Graph.of(g ->
            g.chain(
                g.add("from", new FromPort("in")),
                g.add("part", counting),
                g.add("end", new Discard()))));

    JsonObject reading =
        WatchedRun.json(run.get("/api/handlers/part%2Fseen/packets")).getAsJsonObject();

    assertThat(reading.get("name").getAsString()).isEqualTo("part/seen.packets");
    assertThat(run.get("/metrics").body())
        .contains("linerate_element_received_packets_total{element=\"part/seen\"}");
    assertThat(run.state().getAsJsonArray("elements").toString()).contains("part/seen");
  }

  @Test
  void shouldCaptureTheNextPacketsOfAnEdgeAndLetThemGo() throws Exception {
    HttpResponse<String> made = run.change("POST", "/api/taps", TAP);
    assertThat(made.body()).isEqualTo("{\"id\":\"1\"}");
    await(() -> run.graph.graph().elements().size() == 3); // It leaves when it is full.
    assertThat(run.get("/api/taps/1").statusCode()).isEqualTo(401);
    HttpResponse<byte[]> file =
        run.client()
            .send(
                HttpRequest.newBuilder(run.uri("/api/taps/1"))
                    .header("Authorization", "Bearer " + run.dashboard.token().reveal())
                    .build(),
                BodyHandlers.ofByteArray());

    assertThat(file.headers().firstValue("Content-Disposition"))
        .hasValue("attachment; filename=\"tap-1.pcapng\"");
    assertThat(CommentedPacket.read(file.body())).hasSize(100);
    JsonObject tap = run.state().getAsJsonArray("taps").get(0).getAsJsonObject();
    assertThat(tap.get("packets").getAsLong()).isEqualTo(100);
    assertThat(tap.get("running").getAsBoolean()).isFalse();
    assertThat(run.change("DELETE", "/api/taps/1", "").statusCode()).isEqualTo(200);
    assertThat(run.change("DELETE", "/api/taps/1", "").statusCode()).isEqualTo(404);
    stopAndSeeThatNothingWasLost();
  }

  @Test
  void shouldHaveAManualPageOfATap() throws Exception {
    run.change("POST", "/api/taps", TAP.replace("100", "1000000"));
    JsonArray elements = run.state().getAsJsonArray("elements");
    JsonObject tap = elements.get(elements.size() - 1).getAsJsonObject();

    assertThat(tap.get("name").getAsString()).isEqualTo("tap-1");
    assertThat(tap.get("doc").getAsString()).startsWith("Passes everything on,");
    stopAndSeeThatNothingWasLost();
  }

  private List<CommentedPacket> download(String tap) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(run.uri("/api/taps/" + tap))
            .header("Authorization", "Bearer " + run.dashboard.token().reveal())
            .build();
    return CommentedPacket.read(run.client().send(request, BodyHandlers.ofByteArray()).body());
  }

  private JsonObject tap(int index) {
    try {
      return run.state().getAsJsonArray("taps").get(index).getAsJsonObject();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void shouldCaptureWhatIsDroppedByReasonAndElement() throws Exception {
    String drops = "{\"drops\": {%s}, \"packets\": 50, \"snapBytes\": 20}";
    run.change("POST", "/api/taps", drops.formatted(""));
    run.change(
        "POST", "/api/taps", drops.formatted("\"reason\": \"consumed\", \"element\": \"end\""));
    run.change(
        "POST", "/api/taps", drops.formatted("\"reason\": \"consumed\", \"element\": \"count\""));
    await(() -> !tap(1).get("running").getAsBoolean());

    assertThat(download("2"))
        .hasSize(50)
        .allMatch(packet -> packet.bytes().length == 20 && packet.lengthBytes() == 64)
        .extracting(CommentedPacket::comment)
        .containsOnly("reason=consumed, element=end, worker=0");
    assertThat(tap(0).get("drops")).hasToString("{\"reason\":null,\"element\":null}");
    assertThat(tap(1).get("drops")).hasToString("{\"reason\":\"consumed\",\"element\":\"end\"}");
    assertThat(tap(1).has("edge")).isFalse();
    assertThat(tap(1).get("snapBytes").getAsInt()).isEqualTo(20);
    assertThat(tap(1).get("packets").getAsInt()).isEqualTo(50);
    for (int other : List.of(0, 2)) {
      assertThat(tap(other).get("packets").getAsInt()).isZero();
      assertThat(tap(other).get("running").getAsBoolean()).isTrue();
    }
    for (String id : List.of("1", "2", "3")) {
      assertThat(run.change("DELETE", "/api/taps/" + id, "").statusCode()).isEqualTo(200);
    }
    assertThat(run.state().getAsJsonArray("taps")).isEmpty();
    stopAndSeeThatNothingWasLost();
  }

  @Test
  void shouldCaptureWhatAFilterAccepts() throws Exception {
    run.change("POST", "/api/taps", TAP.replace("100", "7, \"filter\": \"ether[21] = 5\""));
    run.change(
        "POST",
        "/api/taps",
        "{\"drops\": {\"reason\": \"consumed\"}, \"packets\": 7, \"filter\": \"ether[21] = 6\"}");
    await(() -> !tap(0).get("running").getAsBoolean() && !tap(1).get("running").getAsBoolean());

    for (int tap : List.of(0, 1)) {
      assertThat(tap(tap).get("filter").getAsString()).isEqualTo("ether[21] = " + (5 + tap));
      assertThat(download(String.valueOf(tap + 1)))
          .hasSize(7)
          .allMatch(packet -> packet.bytes()[21] == 5 + tap);
    }
    assertThat(tap(0).get("missed").getAsInt()).isZero();
    stopAndSeeThatNothingWasLost();
  }

  /** It is compiled before anything is made, from so few words that it takes no time. */
  @Test
  void shouldSayWhereTheFilterOfATapIsWrong() throws Exception {
    assertThat(refusal(TAP.replace("100", "7, \"filter\": \"tcp prt 80\"")))
        .startsWith("wrong filter: filter=tcp prt 80, at=5, found=prt,");
    assertThat(refusal(TAP.replace("100", "7, \"filter\": \"host nobody.invalid\"")))
        .startsWith("wrong filter: filter=host nobody.invalid, at=6,");
    assertThat(refusal(TAP.replace("100", "7, \"filter\": \"" + "(".repeat(1_001) + "\"")))
        .startsWith("filter is too long: length=1001, most=1000; ");
    assertThat(run.state().getAsJsonArray("taps")).isEmpty();
    assertThat(run.graph.graph().elements()).hasSize(3);
  }

  @Test
  void shouldSayWhatATapMayBe() throws Exception {
    assertThat(refusal("{\"drops\": {\"element\": \"nobody\"}, \"packets\": 1}"))
        .isEqualTo("no such element: element=nobody; there are from, count, end");
    assertThat(refusal("{\"packets\": 1}"))
        .isEqualTo("nothing or too much to capture; write one of edge and drops");
    assertThat(refusal(TAP.replace("{\"edge", "{\"drops\": {}, \"edge")))
        .isEqualTo("nothing or too much to capture; write one of edge and drops");
    assertThat(refusal("{\"drops\": {\"port\": \"in\"}, \"packets\": 1}"))
        .isEqualTo("unknown member: name=port; there are reason, element");
    assertThat(run.state().getAsJsonArray("taps")).isEmpty();
  }

  private String refusal(String tap) throws Exception {
    HttpResponse<String> refused = run.change("POST", "/api/taps", tap);
    assertThat(refused.statusCode()).isEqualTo(400);
    return WatchedRun.json(refused).getAsJsonObject().get("error").getAsString();
  }

  private void stopAndSeeThatNothingWasLost() {
    run.engine.stop();
    assertThat(run.engine.awaitEnd(60_000)).isTrue();
    PacketCounts packets = run.engine.summary().packets();
    assertThat(packets.isConserved()).isTrue();
    assertThat(packets.dropped()).containsOnlyKeys("consumed");
    assertThat(packets.dropped()).containsEntry("consumed", packets.received());
  }

  @Test
  void shouldRefuseATapWhereThereIsNoEdge() throws Exception {
    HttpResponse<String> refused =
        run.change("POST", "/api/taps", TAP.replace("\"count\"", "\"end\""));

    assertThat(refused.statusCode()).isEqualTo(400);
    assertThat(refused.body()).contains("no such edge: edge=from [out] -> [in] end");
    assertThat(run.change("POST", "/api/taps", TAP.replace("100", "0")).statusCode())
        .isEqualTo(400);
    assertThat(run.graph.graph().elements()).hasSize(3);
  }

  @Test
  void shouldAddWorkersMoveQueuesAndRetireWorkers() throws Exception {
    assertThat(run.change("DELETE", "/api/workers/0", "").statusCode()).isEqualTo(409);
    assertThat(run.change("POST", "/api/workers", "{}").body()).isEqualTo("{\"worker\":1}");
    String move = "{\"port\": \"in\", \"queue\": 0, \"worker\": %d}";
    assertThat(run.change("POST", "/api/queues/move", move.formatted(1)).statusCode())
        .isEqualTo(200);
    assertThat(run.engine.queues().getFirst().worker()).isEqualTo(1);
    assertThat(run.change("POST", "/api/queues/move", move.formatted(7)).statusCode())
        .isEqualTo(404);
    assertThat(run.change("DELETE", "/api/workers/1", "").statusCode()).isEqualTo(200);
    assertThat(run.engine.queues().getFirst().worker()).isZero();
    assertThat(run.engine.workers()).hasSize(1);
    stopAndSeeThatNothingWasLost();
  }

  @Test
  void shouldShowTheLogAndChangeItsLevel() throws Exception {
    System.Logger logger = System.getLogger("io.linerate.ControlTest");
    String level = run.state().get("logLevel").getAsString();
    assertThat(run.change("PUT", "/api/loglevel", "{\"level\": \"warning\"}").statusCode())
        .isEqualTo(200);
    logger.log(Level.INFO, "not this");
    logger.log(Level.WARNING, "control test: queue={0}", 3);
    JsonObject state = run.state();
    assertThat(state.get("logLevel").getAsString()).isEqualTo("WARNING");
    JsonArray entries = state.getAsJsonArray("log");
    JsonObject last = entries.get(entries.size() - 1).getAsJsonObject();
    assertThat(last.get("text").getAsString()).isEqualTo("control test: queue=3");
    assertThat(last.get("level").getAsString()).isEqualTo("WARNING");
    assertThat(last.get("logger").getAsString()).isEqualTo("io.linerate.ControlTest");
    assertThat(last.get("id").getAsLong()).isPositive();

    HttpResponse<String> refused = run.change("PUT", "/api/loglevel", "{\"level\": \"loud\"}");
    assertThat(refused.statusCode()).isEqualTo(400);
    assertThat(refused.body()).contains("no such level: level=loud; write one of ALL, TRACE");
    assertThat(run.send(run.request("PUT", "/api/loglevel", "{\"level\": \"off\"}")).statusCode())
        .isEqualTo(401);
    run.change("PUT", "/api/loglevel", "{\"level\": \"%s\"}".formatted(level));
    assertThat(run.state().get("logLevel").getAsString()).isEqualTo(level);
  }

  @Test
  void shouldDescribeItself() throws Exception {
    JsonObject api = WatchedRun.json(run.get("/api/openapi.json")).getAsJsonObject();

    assertThat(api.get("openapi").getAsString()).isEqualTo("3.1.0");
    assertThat(api.getAsJsonObject("paths").keySet())
        .contains("/api/state", "/api/live", "/api/taps/{id}", "/api/handlers/{element}/{handler}");
    JsonObject move =
        api.getAsJsonObject("paths").getAsJsonObject("/api/queues/move").getAsJsonObject("post");
    assertThat(move.getAsJsonArray("security")).hasSize(1);
  }
}
