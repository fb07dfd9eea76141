package io.linerate.dashboard.control;

import com.google.gson.stream.JsonWriter;
import io.linerate.dashboard.http.Call;
import io.linerate.dashboard.http.Route;
import java.io.IOException;
import java.util.List;

/** The configuration over HTTP. */
public final class ConfigurationRoutes {
  private final ConfigurationControl configuration;

  public ConfigurationRoutes(ConfigurationControl configuration) {
    this.configuration = configuration;
  }

  public List<Route> routes() {
    return List.of(
        Route.change(
            "POST",
            "/api/reload",
            "Reads the configuration again: takes what it can, and names what needs a restart.",
            this::reload));
  }

  private void reload(Call call) throws IOException {
    call.members();
    ConfigurationControl.Reloaded reloaded = configuration.reload();
    call.json(json -> {
      json.beginObject();
      texts(json, "taken", reloaded.taken());
      texts(json, "restart", reloaded.restart());
      json.endObject();
    });
  }

  private static void texts(JsonWriter json, String name, List<String> texts) throws IOException {
    json.name(name).beginArray();
    for (String text : texts) {
      json.value(text);
    }
    json.endArray();
  }
}
