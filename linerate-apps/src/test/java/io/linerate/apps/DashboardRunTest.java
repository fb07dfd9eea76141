package io.linerate.apps;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code linerate dashboard} beside programs with and without a page of their own. */
class DashboardRunTest {
  private static final Pattern URL = Pattern.compile("http://127\\.0\\.0\\.1:[0-9]+/");
  private static final String NAME = "dashboard-run-test-" + ProcessHandle.current().pid();
  private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(120);

  @TempDir Path folder;

  private final HttpClient client = HttpClient.newHttpClient();
  private URI uri;

  /** A program that counts a thousand packets a second for as long as it is let. */
  private ChildJvm capture(String name, String... more) throws Exception {
    Path file =
        PcapFile.write(folder.resolve(name + ".pcap"), List.of(Frame.udp(1, 64), Frame.udp(2, 99)));
    List<Object> arguments =
        Stream.concat(
                Stream.of(
                    Main.class.getName(),
                    "capture",
                    "--port",
                    "pcap:rx=" + file + ",loop=forever,pace=recorded",
                    "--json",
                    "--set",
                    "programname=" + name),
                Stream.of(more))
            .map(Object.class::cast)
            .toList();
    return new ChildJvm(Files.createDirectory(folder.resolve(name)), arguments.toArray());
  }

  /** Waits until there is something. */
  private static <T> T await(Searched<T> searched) throws Exception {
    long endNs = System.nanoTime() + TIMEOUT_NS;
    while (System.nanoTime() < endNs) {
      Optional<T> found = searched.look();
      if (found.isPresent()) {
        return found.get();
      }
      Thread.sleep(50);
    }
    throw new AssertionError("did not come");
  }

  private interface Searched<T> {
    Optional<T> look() throws Exception;
  }

  private static URI address(Path folder) throws Exception {
    return await(() -> {
      Matcher said = URL.matcher(ChildJvm.text(folder, "err"));
      return said.find() ? Optional.of(URI.create(said.group())) : Optional.empty();
    });
  }

  private HttpResponse<String> get(String path) throws Exception {
    return client.send(HttpRequest.newBuilder(uri.resolve(path)).build(), BodyHandlers.ofString());
  }

  private JsonObject json(String path) throws Exception {
    HttpResponse<String> response = get(path);
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    return JsonParser.parseString(response.body()).getAsJsonObject();
  }

  /** What the list says of a program, when it has it. */
  private Optional<JsonObject> row(String name) throws Exception {
    JsonArray programs = JsonParser.parseString(get("/api/programs").body()).getAsJsonArray();
    return programs.asList().stream()
        .map(JsonElement::getAsJsonObject)
        .filter(row -> row.get("name").getAsString().equals(name))
        .findFirst();
  }

  @Test
  void shouldListRunningProgramsAndShowThoseWithoutAPage() throws Exception {
    Path own = Files.createDirectory(folder.resolve("dashboard"));
    try (ChildJvm plain = capture(NAME + "-plain");
        ChildJvm paged = capture(NAME + "-paged", "--dashboard", "127.0.0.1:0");
        ChildJvm dashboard = new ChildJvm(own, Main.class.getName(), "dashboard", "127.0.0.1:0")) {
      uri = address(own);
      JsonObject first = await(() -> row(NAME + "-plain"));
      assertThat(first.get("pid").getAsLong()).isEqualTo(plain.pid());
      assertThat(first.get("url").isJsonNull()).isTrue();
      assertThat(first.get("command").getAsString()).startsWith("capture --port pcap:rx=");
      JsonObject second =
          await(() -> row(NAME + "-paged").filter(row -> !row.get("url").isJsonNull()));
      assertThat(second.get("url").getAsString())
          .isEqualTo(address(folder.resolve(NAME + "-paged")).toString());
      assertThat(get("/api/programs").body()).doesNotContain("token");
      assertThat(get("/").body()).contains("<title>Programs");

      String program = "?program=" + plain.pid();
      JsonObject state = json("/api/state" + program);
      assertThat(state.get("readOnly").getAsBoolean()).isTrue();
      assertThat(state.getAsJsonArray("elements")).isNotEmpty();
      assertThat(json("/api/history?seconds=60&program=" + plain.pid()).has("series")).isTrue();
      assertThat(get("/metrics" + program).body()).contains("linerate_received_packets_total ");
      assertThat(get("/index.html" + program).statusCode()).isEqualTo(200);
      refuse(plain.pid());
      await(() -> later(state, program));
      showLastTotals(plain, program);

      paged.terminate();
      assertThat(paged.status()).isZero();
      await(() -> row(NAME + "-paged").isEmpty() ? Optional.of(true) : Optional.empty());
      assertThat(get("/api/state?program=" + paged.pid()).statusCode()).isEqualTo(404);
      dashboard.terminate();
      assertThat(dashboard.status()).as(ChildJvm.text(own, "err")).isZero();
    } finally {
      client.shutdownNow();
    }
  }

  /** A state that is newer and has more packets in it. */
  private Optional<JsonObject> later(JsonObject before, String program) throws Exception {
    Function<JsonObject, Long> received =
        state -> state.getAsJsonObject("totals").get("received").getAsLong();
    JsonObject now = json("/api/state" + program);
    return now.get("timeMs").getAsLong() > before.get("timeMs").getAsLong()
            && received.apply(now) > received.apply(before)
        ? Optional.of(now)
        : Optional.empty();
  }

  /** Nothing can be changed, and what is not there is not there. */
  private void refuse(long pid) throws Exception {
    assertThat(get("/api/state").statusCode()).isEqualTo(400);
    assertThat(get("/api/state?program=1").statusCode()).isEqualTo(404);
    assertThat(get("/api/live?program=../../x").statusCode()).isEqualTo(404);
    for (String path : List.of("/api/stop", "/api/workers", "/api/rules", "/api/state")) {
      HttpResponse<String> answer =
          client.send(
              HttpRequest.newBuilder(uri.resolve(path + "?program=" + pid))
                  .header("Content-Type", "application/json")
                  .POST(BodyPublishers.ofString("{}"))
                  .build(),
              BodyHandlers.ofString());
      assertThat(answer.statusCode()).as(path).isIn(404, 405);
    }
    HttpResponse<String> foreign =
        client.send(
            HttpRequest.newBuilder(uri.resolve("/api/programs"))
                .header("Origin", "http://elsewhere.example")
                .build(),
            BodyHandlers.ofString());
    assertThat(foreign.statusCode()).isEqualTo(403);
  }

  /** Who looks on until the end of a program sees the totals of its summary. */
  private void showLastTotals(ChildJvm program, String query) throws Exception {
    HttpResponse<Stream<String>> live =
        client.send(
            HttpRequest.newBuilder(uri.resolve("/api/live" + query)).build(),
            BodyHandlers.ofLines());
    program.terminate();
    assertThat(program.status()).isZero();
    List<String> lines = live.body().toList();
    assertThat(lines).endsWith("event: end", "data: {}", "");
    String last = lines.get(lines.lastIndexOf("event: state") + 1);
    JsonObject totals =
        JsonParser.parseString(last.substring("data: ".length()))
            .getAsJsonObject()
            .getAsJsonObject("totals");
    JsonObject summary =
        JsonParser.parseString(ChildJvm.text(folder.resolve(NAME + "-plain"), "out"))
            .getAsJsonObject();
    assertThat(totals.get("received")).isEqualTo(summary.get("received"));
    assertThat(totals.getAsJsonObject("dropped").get("consumed"))
        .isEqualTo(summary.getAsJsonObject("dropped").get("consumed"));
  }

  @Test
  void shouldServeOthersOnlyIfTold() {
    Run run = Run.of("dashboard", "0.0.0.0:0");
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).contains("address=0.0.0.0:0; give --dashboard-tls").hasLineCount(1);
    assertThat(Run.of("dashboard", "here").err()).contains("not an address to listen on");
  }
}
