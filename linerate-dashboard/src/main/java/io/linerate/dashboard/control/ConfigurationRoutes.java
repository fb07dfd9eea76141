package io.linerate.dashboard.control;

import io.linerate.dashboard.http.Call;
import io.linerate.dashboard.http.JsonMembers;
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
    call.object(json -> {
      JsonMembers.texts(json, "taken", reloaded.taken());
      JsonMembers.texts(json, "restart", reloaded.restart());
    });
  }
}
