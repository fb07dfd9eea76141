package io.linerate.apps.ctl;

import io.linerate.apps.programs.ProgramChoice;
import io.linerate.apps.programs.RunningProgram;
import io.linerate.core.config.ConfigException;
import io.linerate.core.counter.ProgramFolder;
import io.linerate.dashboard.DashboardFile;
import io.linerate.program.run.Command;
import io.linerate.program.run.Console;
import io.linerate.program.run.ExitStatus;
import io.linerate.program.run.Options;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code linerate ctl}. */
public final class CtlCommand implements Command {
  /** Instead of the token's file, for a program of another machine or user. */
  private static final String TOKEN = "LINERATE_TOKEN";

  @Override
  public CommandSpec spec() {
    CommandSpec spec =
        Options.command(
            "ctl",
            """
            Tells a running program that has a dashboard what to do.

            Usage: linerate ctl [PROGRAM] ORDER [ARGUMENT]...

            Orders:

            ORDER...   After PROGRAM, its name or process, where several run.
            --url URL  Its dashboard; another user's token is in LINERATE_TOKEN.

            linerate ctl list
            linerate ctl rules
            linerate ctl add-rule 'drop 10.0.0.0/8 udp' 0
            linerate ctl firewall tap in0 rules0 1000
            """);
    spec.usageMessage().description(Order.usage().toArray(String[]::new));
    return spec;
  }

  @Override
  public int run(ParseResult options, Console console) {
    List<String> words = options.matchedPositionalValue(0, List.of());
    String first = words.getFirst();
    boolean isNamed = !Order.isOne(first) && words.size() > 1;
    String word = isNamed ? words.get(1) : first;
    List<String> arguments = words.subList(isNamed ? 2 : 1, words.size());
    Order order =
        Order.of(word, arguments.size())
            .orElseThrow(() ->
                new ConfigException("no such order: order=" + word + "; see linerate ctl --help"));
    order.require(arguments);
    if (order == Order.LIST) {
      if (isNamed) {
        ProgramChoice.require(ProgramFolder.ofUser(), first);
        throw new ConfigException("list is of all programs: program=" + first + "; leave it out");
      }
      ProgramTable.print(RunningProgram.all(ProgramFolder.ofUser()), console.out());
    } else {
      order.run(client(options, isNamed ? first : null, order.need()), arguments, console.out());
    }
    console.out().flush();
    return ExitStatus.DONE;
  }

  private static ProgramClient client(ParseResult options, @Nullable String program, String need) {
    String url = options.matchedOptionValue("--url", null);
    if (url == null) {
      DashboardFile.Entry page = ProgramChoice.dashboard(program);
      return new ProgramClient(page.url(), page.token(), Optional.of(page.pid()), need);
    }
    if (program != null) {
      throw new ConfigException(
          "a program is named twice: program=%s, url=%s; leave one out".formatted(program, url));
    }
    return at(url, need);
  }

  private static ProgramClient at(String url, String need) {
    URI page = ProgramClient.page(url);
    Optional<DashboardFile.Entry> known =
        DashboardFile.running().stream()
            .filter(entry -> entry.url().equals(page.toString()))
            .findFirst();
    String token =
        Optional.ofNullable(System.getenv(TOKEN))
            .orElse(known.map(DashboardFile.Entry::token).orElse(""));
    return new ProgramClient(url, token, known.map(DashboardFile.Entry::pid), need);
  }
}
