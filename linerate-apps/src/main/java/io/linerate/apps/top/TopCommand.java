package io.linerate.apps.top;

import io.linerate.apps.programs.ProgramChoice;
import io.linerate.apps.programs.RunningProgram;
import io.linerate.core.config.ConfigException;
import io.linerate.core.counter.ProgramFolder;
import io.linerate.core.worker.StopSignal;
import io.linerate.program.run.Command;
import io.linerate.program.run.Console;
import io.linerate.program.run.ExitStatus;
import io.linerate.program.run.Options;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code linerate top}. */
public final class TopCommand implements Command {
  private static final Duration USUAL = Duration.ofSeconds(1);

  /** Programs write their numbers four times a second. */
  private static final Duration LEAST = Duration.ofMillis(250);

  @Override
  public CommandSpec spec() {
    return Options.command(
        "top",
        """
        Shows programs that run on the terminal.

        Usage: linerate top [PROGRAM] [--interval TIME]

        The only program that runs, or a list of all to choose from: rates and losses, ports,
        workers, elements, drops by reason, pools, the last minute as bars. h shows the keys. At
        the end the last totals stay on the terminal. For scripts there is linerate stats.

        [PROGRAM]  Its name, or the number of its process; the only one, or a list, if left out.
        --interval TIME  Refresh each TIME; 1s if not said, 250ms or more.

        linerate top
        linerate top firewall
        linerate top 4711 --interval 5s
        """);
  }

  @Override
  public int run(ParseResult options, Console console) {
    Duration interval = Options.duration(options, "--interval").orElse(USUAL);
    if (interval.compareTo(LEAST) < 0) {
      throw new ConfigException(
          "interval is too short: interval=%d ms; 250ms is the least"
              .formatted(interval.toMillis()));
    }
    String wanted = options.matchedPositionalValue(0, null);
    ProgramFolder folder = ProgramFolder.ofUser();
    AtomicBoolean isStopped = new AtomicBoolean();
    try (StopSignal _ = StopSignal.install(() -> isStopped.set(true));
        Screen screen = Screen.open();
        Programs programs = new Programs(folder)) {
      Top top = new Top(programs, interval, isStopped::get);
      if (wanted != null || RunningProgram.all(folder).size() <= 1) {
        top.open(ProgramChoice.open(folder, wanted));
      }
      top.run(screen);
      screen.leave();
      Watched last = top.shown();
      if (last != null) {
        LastTotals.lines(last.seen()).forEach(console.out()::println);
        console.out().flush();
        if (!last.isAlive()) {
          console.say(last.end());
        }
      }
    }
    return ExitStatus.DONE;
  }
}
