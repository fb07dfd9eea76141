package io.linerate.apps.top;

import io.linerate.apps.stats.ProgramChoice;
import io.linerate.core.config.ConfigException;
import io.linerate.core.counter.CountersReader;
import io.linerate.core.counter.ProgramFolder;
import io.linerate.core.worker.StopSignal;
import io.linerate.program.run.Command;
import io.linerate.program.run.Console;
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
        Shows a program that runs on the terminal, until it ends or q.

        Usage: linerate top [PROGRAM] [--interval TIME]

        Rates and totals of its ports, the load of its workers, drops by reason, pools, the
        virtual machine, and the last minute as bars. h shows the keys. At the end the last
        totals stay on the terminal. For scripts there is linerate stats.

        --interval TIME  Refresh each TIME; 1s if not said, 250ms or more.
        [PROGRAM]

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
    AtomicBoolean isStopped = new AtomicBoolean();
    try (StopSignal _ = StopSignal.install(() -> isStopped.set(true));
        Screen screen = Screen.open();
        CountersReader reader =
            ProgramChoice.open(ProgramFolder.ofUser(), options.matchedPositionalValue(0, null))) {
      Top top = new Top(reader, interval, isStopped::get);
      top.run(screen);
      screen.leave();
      LastTotals.lines(top.program()).forEach(console.out()::println);
      console.out().flush();
      sayEnd(top, reader, console);
    }
    return 0;
  }

  private static void sayEnd(Top top, CountersReader reader, Console console) {
    if (!top.isAlive()) {
      String program = reader.program().name() + ", pid=" + reader.program().pid();
      console.say(
          reader.hasEnded()
              ? "the program has ended: program=" + program
              : "the program has gone without its last numbers: program=" + program);
    }
  }
}
