package io.linerate.apps.dashboard;

import io.linerate.core.worker.StopSignal;
import io.linerate.dashboard.DashboardSettings;
import io.linerate.dashboard.Overview;
import io.linerate.program.run.Command;
import io.linerate.program.run.Console;
import io.linerate.program.run.ExitStatus;
import io.linerate.program.run.Options;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code linerate dashboard}. */
public final class DashboardCommand implements Command {
  @Override
  public CommandSpec spec() {
    return Options.command(
        "dashboard",
        """
        Serves a page that shows all programs that run.

        Usage: linerate dashboard [ADDRESS] [--dashboard-tls FILE.p12 | --dashboard-open]

        The page lists the programs of this user with their rates. A program that was started
        with --dashboard has a page of its own, to which the list leads; the others are shown
        from their counters files, and cannot be changed from here.

        [ADDRESS] --dashboard-tls --dashboard-open

        linerate dashboard
        linerate dashboard 127.0.0.1:9000
        """);
  }

  @Override
  public int run(ParseResult options, Console console) {
    DashboardSettings settings = Options.access(options, options.matchedPositionalValue(0, ""));
    CountDownLatch end = new CountDownLatch(1);
    try (StopSignal _ = StopSignal.install(end::countDown);
        Overview overview = Overview.start(settings)) {
      console.say("dashboard of all programs: " + overview.url());
      end.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return ExitStatus.DONE;
  }
}
