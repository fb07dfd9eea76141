package io.linerate.apps.ctl;

import io.linerate.core.config.ConfigException;
import io.linerate.dashboard.DashboardFile;
import io.linerate.program.run.Command;
import io.linerate.program.run.Console;
import io.linerate.program.run.Options;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
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

            Usage: linerate ctl [--program NAME] ORDER [ARGUMENT]...

            Orders:

            --program NAME  The program's name or process; not needed while one runs only.
            --url URL       Where its dashboard is; if not of this user, the token is in LINERATE_TOKEN.
            ORDER...  What to do, and with what.

            linerate ctl rules
            linerate ctl add-rule 'drop 10.0.0.0/8 udp' 0
            linerate ctl --program firewall tap in0 rules0 1000
            """);
    spec.usageMessage().description(Order.usage().toArray(String[]::new));
    return spec;
  }

  @Override
  public int run(ParseResult options, Console console) {
    List<String> words = options.matchedPositionalValue(0, List.of());
    Order order =
        Order.of(words.getFirst())
            .orElseThrow(() ->
                new ConfigException(
                    "no such order: order=" + words.getFirst() + "; see linerate ctl --help"));
    List<String> arguments = words.subList(1, words.size());
    order.require(arguments);
    order.run(client(options), arguments, console.out());
    console.out().flush();
    return 0;
  }

  private static ProgramClient client(ParseResult options) {
    String url = options.matchedOptionValue("--url", null);
    if (url != null) {
      return at(url);
    }
    String wanted = options.matchedOptionValue("--program", null);
    List<DashboardFile.Entry> running =
        running().filter(entry -> wanted == null || isNamed(entry, wanted)).toList();
    if (running.isEmpty()) {
      throw new ConfigException(
          wanted == null
              ? "no program with a dashboard runs; start one with --dashboard"
              : "no such program with a dashboard runs: program=" + wanted);
    }
    if (running.size() > 1) {
      throw new ConfigException(
          "several programs run: %s; write --program PROCESS, or --url URL for one page of several"
              .formatted(
                  running.stream()
                      .map(entry -> entry.name() + "=" + entry.pid() + " at " + entry.url())
                      .toList()));
    }
    return new ProgramClient(running.getFirst().url(), running.getFirst().token());
  }

  private static ProgramClient at(String url) {
    URI page = ProgramClient.page(url);
    String token =
        running()
            .filter(entry -> entry.url().equals(page.toString()))
            .map(DashboardFile.Entry::token)
            .findFirst()
            .orElse("");
    return new ProgramClient(url, Optional.ofNullable(System.getenv(TOKEN)).orElse(token));
  }

  private static Stream<DashboardFile.Entry> running() {
    return DashboardFile.running().stream();
  }

  private static boolean isNamed(DashboardFile.Entry entry, String wanted) {
    return entry.name().equals(wanted) || String.valueOf(entry.pid()).equals(wanted);
  }
}
