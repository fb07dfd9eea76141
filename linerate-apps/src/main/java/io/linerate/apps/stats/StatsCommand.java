package io.linerate.apps.stats;

import io.linerate.apps.programs.ProgramChoice;
import io.linerate.core.config.ConfigException;
import io.linerate.core.counter.CountersReader;
import io.linerate.core.counter.ProgramFolder;
import io.linerate.core.worker.StopSignal;
import io.linerate.program.run.Command;
import io.linerate.program.run.Console;
import io.linerate.program.run.ExitStatus;
import io.linerate.program.run.Options;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code linerate stats}. */
public final class StatsCommand implements Command {
  @Override
  public CommandSpec spec() {
    return Options.command(
        "stats",
        """
        Prints the numbers of a program that runs.

        Usage: linerate stats [PROGRAM] [--interval TIME] [--count N] [--json | --csv]

        All numbers are totals since the program's start: take differences.
        docs/statistics.md says what each of them is.

        --interval TIME  Again each TIME, such as 1s, to its end.
        --count N        Stop after N times.
        --csv            Print lines of time, sample, kind and value.
        [PROGRAM]
        --json

        linerate stats
        linerate stats firewall --interval 1s --csv
        linerate stats 4711 --json
        """);
  }

  @Override
  public int run(ParseResult options, Console console) {
    boolean isCsv = options.matchedOptionValue("--csv", false);
    boolean isJson = Options.isJson(options);
    if (isCsv && isJson) {
      throw new ConfigException("two formats at once: --json, --csv; leave one out");
    }
    Optional<Duration> interval = Options.duration(options, "--interval");
    long most = Options.number(options, "--count", 1, Long.MAX_VALUE, Long.MAX_VALUE);
    StatsFormat format = isJson ? StatsFormat.JSON : isCsv ? StatsFormat.CSV : StatsFormat.TEXT;
    try (StopSignal _ = StopSignal.install(Thread.currentThread()::interrupt);
        CountersReader reader =
            ProgramChoice.open(ProgramFolder.ofUser(), options.matchedPositionalValue(0, null))) {
      format.begin(console.out());
      print(reader, format, console);
      for (long n = 1; interval.isPresent() && n < most && reader.isAlive(); n++) {
        if (!sleep(interval.get())) {
          break;
        }
        print(reader, format, console);
      }
    }
    return ExitStatus.DONE;
  }

  private static void print(CountersReader reader, StatsFormat format, Console console) {
    format.print(console.out(), reader.program(), reader.writtenMs(), reader.samples());
    console.out().flush();
  }

  private static boolean sleep(Duration time) {
    try {
      Thread.sleep(time);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
