package io.linerate.systemtest;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The dashboard for Grafana asks for numbers that running programs export. */
class GrafanaDashboardTest {
  private static final Pattern METRIC = Pattern.compile("linerate_[a-z_]+");
  private static final Pattern LABELS = Pattern.compile("by \\(([a-z, ]+)\\)|\\{\\{([a-z]+)}}");

  @TempDir Path folder;

  private static JsonObject dashboard() throws Exception {
    Path file = Lab.project().resolve("docs/grafana/linerate.json");
    return JsonParser.parseString(Files.readString(file)).getAsJsonObject();
  }

  private static Set<String> found(Pattern pattern, String text) {
    Set<String> found = new TreeSet<>();
    pattern.matcher(text).results().map(MatchResult::group).forEach(found::add);
    return found;
  }

  private static String metrics(HttpClient client, Command program) throws Exception {
    URI uri = PagePrograms.address(program).resolve("/metrics");
    return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString()).body();
  }

  /** What the program's log tells of. */
  private static void readRulesAgain(HttpClient client, Command firewall) throws Exception {
    URI page = PagePrograms.address(firewall);
    HttpRequest reload =
        HttpRequest.newBuilder(page.resolve("/api/rules/reload"))
            .header("Authorization", "Bearer " + page.getFragment().replace("token=", ""))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString("{}"))
            .build();
    assertThat(client.send(reload, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
  }

  @Test
  void shouldAskForWhatRunningProgramsExportOnly() throws Exception {
    Set<String> asked = found(METRIC, dashboard().toString());
    assertThat(asked).hasSizeGreaterThan(30);
    String traffic = PagePrograms.traffic(folder, 1_000).toString();
    try (Command firewall = PageRulesTest.firewall(folder);
        Command pipeline = Command.start(Command.java(GraphProgram.class, "pipeline", traffic));
        Command generator =
            Command.start(
                Command.linerate(
                    "generate",
                    "--port=ring:loop,loopback",
                    "--receive=ring:loop,loopback",
                    "--rate=1kpps",
                    "--dashboard=127.0.0.1:0"));
        HttpClient client = HttpClient.newHttpClient()) {
      readRulesAgain(client, firewall);
      // Drops, delays and messages are there when there were some.
      Set<String> exported = new TreeSet<>();
      long endNs = System.nanoTime() + 120_000_000_000L;
      while (!exported.containsAll(asked) && System.nanoTime() < endNs) {
        for (Command program : List.of(firewall, pipeline, generator)) {
          exported.addAll(found(METRIC, metrics(client, program)));
        }
        Thread.sleep(100);
      }
      assertThat(exported).containsAll(asked);
    }
  }

  @Test
  void shouldNameEachLabelThatItShowsInItsQuery() throws Exception {
    List<String> queries = new ArrayList<>();
    for (JsonElement panel : dashboard().getAsJsonArray("panels")) {
      if (panel.getAsJsonObject().has("targets")) {
        for (JsonElement target : panel.getAsJsonObject().getAsJsonArray("targets")) {
          JsonObject query = target.getAsJsonObject();
          queries.add(query.get("expr").getAsString());
          if (query.get("expr").getAsString().contains("by (")) {
            assertThat(labels(query.get("legendFormat").getAsString()))
                .as(query.toString())
                .isSubsetOf(labels(query.get("expr").getAsString()));
          }
        }
      }
    }
    assertThat(queries).hasSizeGreaterThan(25);
  }

  private static Set<String> labels(String text) {
    Set<String> labels = new TreeSet<>();
    LABELS
        .matcher(text)
        .results()
        .map(label -> label.group(1) == null ? label.group(2) : label.group(1))
        .forEach(names -> labels.addAll(List.of(names.split(", "))));
    return labels;
  }
}
