package io.linerate.program;

import com.google.gson.stream.JsonWriter;
import io.linerate.core.config.Configuration;
import io.linerate.core.config.EngineConfig;
import io.linerate.core.statistics.RunSummary;
import io.linerate.core.worker.Engine;
import io.linerate.graph.GraphRunner;
import io.linerate.program.run.Application;
import io.linerate.program.run.Console;
import io.linerate.program.run.EngineRun;
import io.linerate.program.run.Options;
import io.linerate.program.run.SummaryJson;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ParseResult;

/** One run of a program, as its command line wants it. */
final class ProgramRun implements Application {
  /** As JSON has numbers. */
  private static final Pattern NUMBER =
      Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?");

  private final PortArguments ports;
  private final Consumer<Setup> wiring;
  private final ParseResult options;
  private final Console console;
  private final Configuration configuration;
  private @Nullable Setup setup;
  private Map<String, String> results = Map.of();

  ProgramRun(
      String name,
      PortArguments ports,
      Consumer<Setup> wiring,
      ParseResult options,
      Console console) {
    this.ports = ports;
    this.wiring = wiring;
    this.options = options;
    this.console = console;
    configuration = configuration(options, EngineConfig.DEFAULT.withProgramName(name));
  }

  private static Configuration configuration(ParseResult options, EngineConfig defaults) {
    List<String> overrides = Options.overrides(options);
    return Options.config(options)
        .map(file -> Configuration.read(file, overrides, defaults))
        .orElseGet(() -> Configuration.of(overrides, defaults));
  }

  int run() {
    return new EngineRun(
            configuration.engine(),
            Options.duration(options).or(configuration::duration),
            Options.stats(options),
            console)
        .dashboard(Options.dashboard(options))
        .drops(Options.drops(options))
        .run(this);
  }

  @Override
  public void wire(Engine engine) {
    Setup made = new Setup(engine, options);
    List<String> given = options.matchedPositionalValue(0, List.of());
    ports.addresses(given, configuration.ports()).forEach(made::open);
    setup = made;
    wiring.accept(made);
  }

  @Override
  public @Nullable GraphRunner graph() {
    return setup == null ? null : setup.runner();
  }

  @Override
  public void ended() {
    results = setup == null ? Map.of() : setup.results();
  }

  @Override
  public void report(RunSummary summary) {
    if (Options.isJson(options)) {
      SummaryJson.print(console.out(), summary, this::writeResults);
    } else {
      console.out().print(summary.withFailures(List.of())); // Said on standard error.
      results.forEach((name, value) -> console.out().println("  " + name + ": " + value));
    }
  }

  private void writeResults(JsonWriter json) throws IOException {
    json.name("results").beginObject();
    for (Map.Entry<String, String> result : results.entrySet()) {
      json.name(result.getKey());
      if (NUMBER.matcher(result.getValue()).matches()) {
        json.jsonValue(result.getValue());
      } else {
        json.value(result.getValue());
      }
    }
    json.endObject();
  }
}
