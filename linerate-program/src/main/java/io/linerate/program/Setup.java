package io.linerate.program;

import io.linerate.core.port.Port;
import io.linerate.core.worker.Engine;
import io.linerate.graph.Graph;
import io.linerate.graph.GraphRunner;
import io.linerate.program.run.Options;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ParseResult;

/** What the command line gave a program, and what the program gives back. */
public final class Setup {
  private final Engine engine;
  private final Map<String, Port> ports = new LinkedHashMap<>();
  private final ParseResult options;
  private final Map<String, Supplier<?>> results = new LinkedHashMap<>();
  private @Nullable GraphRunner graph;

  Setup(Engine engine, ParseResult options) {
    this.engine = engine;
    this.options = options;
  }

  void open(String name, String address) {
    ports.put(name, engine.port(name, address));
  }

  /** What runs the program. It starts when the program is wired. */
  public Engine engine() {
    return engine;
  }

  /**
   * A port of the program, open.
   *
   * @param name as {@link Program#ports} has it
   * @throws IllegalArgumentException if the program has no such port
   */
  public Port port(String name) {
    Port port = ports.get(name);
    if (port == null) {
      throw new IllegalArgumentException(
          "program has no such port: name=%s, ports=%s; name it in Program.ports"
              .formatted(name, ports.keySet()));
    }
    return port;
  }

  /** All ports of the program, in the order of its command line. */
  public List<Port> ports() {
    return List.copyOf(ports.values());
  }

  /** The value that the command line gives an option of the program's own; empty: none. */
  public Optional<String> option(String name) {
    return Optional.ofNullable(options.matchedOptionValue(name, null));
  }

  /**
   * The whole number that the command line gives an option.
   *
   * @param missing without the option
   * @throws io.linerate.core.config.ConfigException if it is none between {@code min} and {@code
   *     max}
   */
  public long number(String name, long min, long max, long missing) {
    return Options.number(options, name, min, max, missing);
  }

  /** Whether the command line has an option of the program's own. */
  public boolean has(String option) {
    return options.hasMatchedOption(option);
  }

  /**
   * Installs the graph of the program, which then is on its page and can be changed by {@code
   * linerate ctl}.
   *
   * @throws io.linerate.graph.GraphException for all that is wrong with it: exit status 2
   * @throws IllegalStateException if the program has one already
   */
  public GraphRunner graph(Graph graph) {
    if (this.graph != null) {
      throw new IllegalStateException(
          "program has a graph already: elements=%d; put both into one graph"
              .formatted(this.graph.graph().elements().size()));
    }
    GraphRunner runner = GraphRunner.install(graph, engine);
    this.graph = runner;
    return runner;
  }

  /**
   * Says something of the program's own with its result: a line of the summary, and a member of
   * {@code results} in JSON, a number where it is one.
   *
   * @param value asked for once, when all workers have ended and ports are still open
   */
  public void result(String name, Supplier<?> value) {
    results.put(name, value);
  }

  @Nullable GraphRunner runner() {
    return graph;
  }

  /** What the program has to say of itself now. */
  Map<String, String> results() {
    Map<String, String> values = new LinkedHashMap<>();
    results.forEach((name, value) -> values.put(name, String.valueOf(value.get())));
    return values;
  }
}
