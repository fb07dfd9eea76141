package io.linerate.program.run;

import io.linerate.core.worker.Engine;
import io.linerate.dashboard.Dashboard;
import io.linerate.dashboard.DashboardSettings;
import io.linerate.dashboard.WatchedProgram;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The page of a program, if the user asked for one. */
public final class Watch {
  private Watch() {}

  /**
   * Serves the page, and says once where it is and what its token is.
   *
   * @param application null: there is nothing to see but the engine
   * @return null if there is none; to be closed before the engine is
   */
  public static @Nullable Dashboard start(
      Optional<DashboardSettings> settings,
      Engine engine,
      @Nullable Application application,
      Console console) {
    if (settings.isEmpty()) {
      return null;
    }
    Dashboard page =
        Dashboard.start(
            settings.get(),
            application == null
                ? new WatchedProgram(engine, null)
                : new WatchedProgram(
                    engine,
                    application.graph(),
                    application.rules(),
                    application.configuration(),
                    application.view()));
    console.say("dashboard: " + page.url());
    return page;
  }
}
