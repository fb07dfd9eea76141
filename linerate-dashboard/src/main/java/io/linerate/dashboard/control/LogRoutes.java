package io.linerate.dashboard.control;

import static io.linerate.dashboard.http.RouteParameter.member;

import com.google.gson.stream.JsonWriter;
import io.linerate.core.log.ProgramLog;
import io.linerate.dashboard.http.Call;
import io.linerate.dashboard.http.JsonMembers;
import io.linerate.dashboard.http.Refusal;
import io.linerate.dashboard.http.Route;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The program's log, and what is logged, over HTTP. */
public record LogRoutes(ProgramLog log) implements JsonMembers {
  private static final System.Logger LOG = System.getLogger(LogRoutes.class.getName());

  /** Entries that the state has; a client that reads it each second misses none below this rate. */
  private static final int ENTRIES = 100;

  public List<Route> routes() {
    return List.of(
        Route.change("PUT", "/api/loglevel", "Logs from another level on.", this::level)
            .with(member("level", "string", "One of " + names() + ".")));
  }

  private static String names() {
    return String.join(", ", Arrays.stream(Level.values()).map(Level::name).toList());
  }

  private void level(Call call) throws IOException {
    String name = call.members("level").text("level");
    Level before = log.level();
    try {
      log.level(Level.valueOf(name.toUpperCase(Locale.ROOT)));
    } catch (IllegalArgumentException e) {
      throw new Refusal(400, "no such level: level=%s; write one of %s".formatted(name, names()));
    }
    LOG.log(Level.INFO, "log level was changed: from=" + before + ", to=" + log.level());
    call.done();
  }

  @Override
  public void write(JsonWriter json) throws IOException {
    json.name("logLevel").value(log.level().name());
    JsonMembers.objects(
        json.name("log"),
        log.entries(ENTRIES),
        entry -> {
          json.name("id").value(entry.id());
          json.name("timeMs").value(entry.timeMs());
          json.name("level").value(entry.level().name());
          json.name("logger").value(entry.logger());
          json.name("text").value(entry.text());
        });
  }
}
