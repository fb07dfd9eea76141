package io.linerate.apps.middlebox;

import io.linerate.core.config.ConfigException;
import io.linerate.core.config.Configuration;
import io.linerate.core.config.EngineConfig;
import io.linerate.core.config.NamedAddress;
import io.linerate.core.config.PathText;
import io.linerate.core.port.Port;
import io.linerate.core.statistics.RunSummary;
import io.linerate.core.worker.Engine;
import io.linerate.dashboard.control.ConfigurationControl;
import io.linerate.dashboard.control.RuleControl;
import io.linerate.graph.Graph;
import io.linerate.graph.GraphBuilder;
import io.linerate.graph.GraphProblem;
import io.linerate.graph.GraphRunner;
import io.linerate.middlebox.firewall.RuleBook;
import io.linerate.middlebox.rule.Direction;
import io.linerate.program.run.Application;
import io.linerate.program.run.Console;
import io.linerate.program.run.EngineRun;
import io.linerate.program.run.ExitStatus;
import io.linerate.program.run.Options;
import io.linerate.program.run.SummaryJson;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ParseResult;

/** A middlebox that is a graph between ports which all receive and transmit. */
public final class GraphProgram implements Application {
  /** Makes the graph. */
  public interface Blueprint {
    /**
     * Adds all elements.
     *
     * @param workers on which packets may leave by all ports
     */
    void build(GraphBuilder g, int workers);

    /** A sentence for each thing beside it that has failed: asked when the workers have ended. */
    default List<String> failures() {
      return List.of();
    }
  }

  /** Addresses of what can be opened once: neither files, nor rings, whose two ends are. */
  private static final Pattern DEVICE = Pattern.compile("(packet|xdp|tap|dpdk|libpcap):[^=]*");

  private final Configuration configuration;
  private final Blueprint graph;
  private final Optional<Rules> rules;
  private final boolean isJson;
  private final Console console;
  private @Nullable GraphRunner runner;

  /**
   * Rules that a program has.
   *
   * @param directions the ways that they are about
   * @param reload reads the configuration again
   */
  public record Rules(RuleBook book, List<Direction> directions, ConfigurationControl reload) {}

  private GraphProgram(
      Configuration configuration,
      Blueprint graph,
      Optional<Rules> rules,
      boolean isJson,
      Console console) {
    this.configuration = configuration;
    this.graph = graph;
    this.rules = rules;
    this.isJson = isJson;
    this.console = console;
  }

  /**
   * The configuration that the options name.
   *
   * @throws ConfigException for what is wrong in it, ports that take tags off frames included,
   *     which would go on with them though no rule and no table has looked at them
   */
  public static Configuration read(ParseResult options, String programName) {
    Configuration configuration =
        Configuration.read(
            PathText.parse(options.matchedPositionalValue(0, "")),
            Options.overrides(options),
            EngineConfig.DEFAULT.withProgramName(programName));
    Map<String, String> devices = new HashMap<>();
    for (NamedAddress port : configuration.ports()) {
      if (port.address().contains("vlan-strip=on")) {
        throw configuration.error(
            "ports",
            "VLAN tags are taken off where nobody looks at them (%s=%s)"
                .formatted(port.name(), port.address()),
            "leave vlan-strip=on out");
      }
      String device = port.address().split(",", 2)[0];
      String other = DEVICE.matcher(device).matches() ? devices.put(device, port.name()) : null;
      if (other != null) {
        throw configuration.error(
            "ports",
            "two ports are one device (%s, %s)".formatted(other, port.name()),
            "give each link a device of its own");
      }
    }
    return configuration;
  }

  /**
   * Runs it, or checks it.
   *
   * @return the {@link ExitStatus}
   */
  public static int run(
      Configuration configuration, Blueprint graph, ParseResult options, Console console) {
    return run(configuration, graph, Optional.empty(), options, console);
  }

  /** As before, with rules, if it has any. */
  public static int run(
      Configuration configuration,
      Blueprint graph,
      Optional<Rules> rules,
      ParseResult options,
      Console console) {
    GraphProgram program =
        new GraphProgram(configuration, graph, rules, Options.isJson(options), console);
    EngineRun run =
        new EngineRun(
                configuration.engine(), configuration.duration(), Options.stats(options), console)
            .dashboard(Options.dashboard(options))
            .drops(Options.drops(options));
    return isCheck(options) ? program.check() : run.run(program);
  }

  /** Whether the options ask what is wrong, and not to run. */
  public static boolean isCheck(ParseResult options) {
    return options.matchedOptionValue("--check", false);
  }

  private int check() {
    int workers = configuration.engine().workers();
    return check(
        Graph.of(g -> graph.build(g, workers)),
        rules.map(some -> new RuleCheck(some.book, some.directions)),
        isJson,
        console);
  }

  /**
   * Explains a graph and its rules without running them.
   *
   * @return the {@link ExitStatus}
   * @throws ConfigException if something is wrong with it
   */
  public static int check(Graph graph, Optional<RuleCheck> rules, boolean isJson, Console console) {
    List<GraphProblem> problems = graph.problems();
    if (!problems.isEmpty()) {
      throw new ConfigException(
          problems.stream().map(GraphProblem::toString).collect(Collectors.joining("\n")));
    }
    if (rules.isPresent()) {
      return rules.get().print(isJson, console);
    }
    int elements = graph.elements().size();
    if (isJson) {
      SummaryJson.printObject(console.out(), json -> json.name("elements").value(elements));
    } else {
      console.print("nothing is wrong: elements=" + elements);
    }
    return ExitStatus.DONE;
  }

  /**
   * Sees that there are ports of these names, and no others.
   *
   * @throws ConfigException if not
   */
  public static void requirePorts(Configuration configuration, String... names) {
    List<String> there = configuration.ports().stream().map(NamedAddress::name).toList();
    List<String> wanted = List.of(names);
    if (there.size() != wanted.size() || !there.containsAll(wanted)) {
      throw configuration.error(
          "ports",
          "ports have other names than " + String.join(" and ", wanted) + " (" + there + ")",
          "write ports=" + String.join("=ADDRESS; ", wanted) + "=ADDRESS");
    }
  }

  /** Opens the ports of a configuration. */
  public static List<Port> ports(Configuration configuration, Engine engine) {
    return configuration.ports().stream()
        .map(port -> engine.port(port.name(), port.address()))
        .toList();
  }

  @Override
  public void wire(Engine engine) {
    List<Port> ports = ports(configuration, engine);
    for (Port port : ports) {
      if (port.rxQueues() == 0 || port.txQueues() == 0) {
        throw configuration.error(
            "ports",
            "port does not receive and transmit (" + port.name() + ")",
            "give one that does, such as packet:eth0");
      }
    }
    int workers =
        Math.min(
            configuration.engine().workers(),
            ports.stream().mapToInt(Port::txQueues).min().orElse(1));
    runner = GraphRunner.install(Graph.of(g -> graph.build(g, workers)), engine);
    rules.ifPresent(some -> {
      engine.source(some.book);
      some.book.noteIn(engine.changes());
    });
  }

  @Override
  public @Nullable RuleControl rules() {
    return rules.map(some -> new RuleBookControl(some.book)).orElse(null);
  }

  @Override
  public @Nullable ConfigurationControl configuration() {
    return rules.map(Rules::reload).orElse(null);
  }

  @Override
  public @Nullable GraphRunner graph() {
    return runner;
  }

  @Override
  public List<String> finish() {
    return graph.failures();
  }

  @Override
  public void report(RunSummary summary) {
    if (isJson) {
      SummaryJson.print(
          console.out(),
          summary,
          json -> {
            if (rules.isPresent()) {
              RuleReport.write(rules.get().book, json);
            }
          });
      return;
    }
    console.out().print(summary.withFailures(List.of())); // Said on standard error.
    rules.ifPresent(some -> RuleReport.print(some.book, console));
  }
}
