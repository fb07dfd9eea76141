package io.linerate.apps.run;

import io.linerate.core.worker.Engine;
import io.linerate.dashboard.Dashboard;
import io.linerate.dashboard.DashboardSettings;
import io.linerate.dashboard.WatchedProgram;
import io.linerate.dashboard.control.RuleControl;
import io.linerate.graph.GraphRunner;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The page of a program, if the user asked for one. */
public final class Watch {
  private Watch() {}

  /**
   * Serves the page, and says once where it is and what its token is.
   *
   * @return null if there is none; to be closed before the engine is
   */
  public static @Nullable Dashboard start(
      Optional<DashboardSettings> settings,
      Engine engine,
      @Nullable GraphRunner graph,
      @Nullable RuleControl rules,
      Console console) {
    if (settings.isEmpty()) {
      return null;
    }
    Dashboard page =
        Dashboard.start(
            settings.get(),
            new WatchedProgram(
                engine.config().programName(), Version.NUMBER, engine, graph, rules));
    console.say("dashboard: " + page.url() + "#token=" + page.token().reveal());
    return page;
  }
}
