package io.linerate.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.linerate.core.config.ConfigException;
import io.linerate.core.statistics.RunSummary;
import io.linerate.core.worker.Engine;
import io.linerate.dashboard.http.HttpAddress;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a page is told. */
class DashboardTest {
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

  @Test
  void shouldTellTheStateOfTheProgram() throws Exception {
    JsonObject state = run.state();

    assertThat(state.getAsJsonObject("program").get("name").getAsString()).isEqualTo("test");
    assertThat(state.getAsJsonObject("program").get("pid").getAsLong())
        .isEqualTo(ProcessHandle.current().pid());
    assertThat(names(state.getAsJsonArray("ports"))).containsExactly("in");
    assertThat(names(state.getAsJsonArray("elements"))).containsExactly("from", "count", "end");
    assertThat(state.getAsJsonArray("edges")).hasSize(2);
    assertThat(state.getAsJsonArray("workers")).hasSize(1);
    assertThat(state.getAsJsonArray("queues")).hasSize(1);
  }

  private static List<String> names(JsonArray objects) {
    return objects.asList().stream()
        .map(object -> object.getAsJsonObject().get("name").getAsString())
        .toList();
  }

  @Test
  void shouldSendTheExactTotalsAtTheEnd() throws Exception {
    HttpResponse<Stream<String>> live =
        run.client()
            .send(HttpRequest.newBuilder(run.uri("/api/live")).build(), BodyHandlers.ofLines());
    run.engine.stop();
    assertThat(run.engine.awaitEnd(60_000)).isTrue();
    RunSummary summary = run.engine.summary();
    run.dashboard.close();
    List<String> lines = live.body().toList();

    assertThat(lines).endsWith("event: end", "data: {}", "");
    String last = lines.get(lines.lastIndexOf("event: state") + 1);
    JsonObject totals =
        JsonParser.parseString(last.substring("data: ".length()))
            .getAsJsonObject()
            .getAsJsonObject("totals");
    assertThat(totals.get("received").getAsLong()).isEqualTo(summary.packets().received());
    assertThat(totals.getAsJsonObject("dropped").get("consumed").getAsLong())
        .isEqualTo(summary.packets().received());
  }

  @Test
  void shouldServeThePageAndNothingElse() throws Exception {
    HttpResponse<String> page = run.get("/");

    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(page.headers().firstValue("Content-Type")).hasValue("text/html; charset=utf-8");
    assertThat(page.headers().firstValue("Content-Security-Policy"))
        .hasValueSatisfying(policy -> assertThat(policy).contains("default-src 'none'"));
    for (String path :
        List.of("/..%2f..%2fDashboard.class", "/../Dashboard.class", "/index.html/", "/.x.html")) {
      assertThat(run.get(path).statusCode()).as(path).isEqualTo(404);
    }
  }

  @Test
  void shouldListenElsewhereThanOnLoopbackOnlyIfTold() {
    DashboardSettings all = DashboardSettings.DEFAULT.withAddress("0.0.0.0:0");
    try (Engine engine = new Engine()) {
      assertThatThrownBy(() -> Dashboard.start(all, new WatchedProgram(engine, null)))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining("address=0.0.0.0:0; give --dashboard-tls");
    }
  }

  @Test
  void shouldTakeAnyFreePortWhereNobodySaidWhich() throws Exception {
    HttpAddress taken = new HttpAddress("127.0.0.1", run.uri("/").getPort(), true);
    try (Dashboard second =
        Dashboard.start(
            DashboardSettings.DEFAULT.withAddress(taken), new WatchedProgram(run.engine, null))) {
      URI page = URI.create(second.url());
      assertThat(page.getPort()).isNotEqualTo(taken.port());
      assertThat(page.getFragment()).isEqualTo("token=" + second.token().reveal());
      assertThat(HttpAddress.DEFAULT.isWish()).isTrue();
      assertThat(HttpAddress.parse("127.0.0.1:8080").isWish()).isFalse();
      assertThat(names(WatchedRun.json(run.get("/api/programs")).getAsJsonArray()))
          .filteredOn("test"::equals)
          .hasSizeGreaterThanOrEqualTo(2);
      assertThat(selves()).containsExactly(taken.port());
    }
  }

  /** Ports of the pages that are said to be this one. */
  private List<Integer> selves() throws Exception {
    return WatchedRun.json(run.get("/api/programs")).getAsJsonArray().asList().stream()
        .map(JsonElement::getAsJsonObject)
        .filter(program -> program.get("self").getAsBoolean())
        .map(program -> URI.create(program.get("url").getAsString()).getPort())
        .toList();
  }

  @Test
  void shouldSayWhenItsAddressIsTaken() {
    int port = run.uri("/").getPort();
    DashboardSettings same =
        DashboardSettings.DEFAULT.withAddress(new HttpAddress("127.0.0.1", port));
    assertThatThrownBy(() -> Dashboard.start(same, new WatchedProgram(run.engine, null)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("cannot listen: address=127.0.0.1:" + port);
  }
}
