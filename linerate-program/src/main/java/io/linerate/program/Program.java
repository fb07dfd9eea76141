package io.linerate.program;

import io.linerate.graph.Graph;
import io.linerate.program.run.CommandRun;
import io.linerate.program.run.Console;
import io.linerate.program.run.Options;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;

/**
 * A program of one's own: a name, the ports that it needs, and what it does with their packets.
 *
 * <pre>{@code
 * void main(String[] arguments) {
 *   Program.named("counter").ports("in").main(arguments, this::count);
 * }
 *
 * void count(Setup setup) {
 *   setup.engine().worker().input(setup.port("in"), burst -> burst.dropAll(DropReason.CONSUMED));
 * }
 * }</pre>
 *
 * It has the command line of Linerate's own commands, {@code counter IN [OPTIONS]}:
 *
 * <table>
 * <caption>Options of all programs</caption>
 * <tr><td>{@code --config FILE}</td><td>a properties file: {@code ports} and settings</td></tr>
 * <tr><td>{@code --set KEY=VALUE}</td><td>one setting, such as {@code workers=2}</td></tr>
 * <tr><td>{@code --filter EXPRESSION}</td><td>only packets that it accepts, such as {@code tcp port
 *     80}</td></tr>
 * <tr><td>{@code --duration TIME}</td><td>when it stops by itself</td></tr>
 * <tr><td>{@code --stats TIME}</td><td>how often it says how it stands: each 10s if left
 *     out</td></tr>
 * <tr><td>{@code --json}</td><td>the result as one JSON object</td></tr>
 * <tr><td>{@code --write-drops FILE}</td><td>the packets that are lost, with why and where, as
 *     pcapng</td></tr>
 * <tr><td>{@code --dashboard [ADDRESS]}</td><td>a page to watch and change it by, which
 *     {@code linerate ctl} needs, too</td></tr>
 * <tr><td>{@code --help}, {@code --version}</td><td></td></tr>
 * </table>
 *
 * {@code linerate stats}, {@code top} and {@code ctl} know it by its name while it runs. It ends
 * when its inputs do, after its time, or by SIGINT or SIGTERM: packets are drained, ports closed,
 * the summary printed.
 *
 * <p>The exit status is 0; 1 if a port, a worker or a handler failed or the result cannot be
 * written; 2 if what was asked for is wrong. Each error is a sentence on standard error.
 *
 * <p>A program is a value: each method returns another one.
 */
public final class Program {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

  /** Those that every program has. */
  private static final String BUILT_IN_OPTIONS =
      "--config --set --filter --duration --stats --json --write-drops";

  private static final String BUILT_IN_PAGE_OPTIONS =
      "--dashboard --dashboard-tls --dashboard-open";

  private static final Set<String> BUILT_IN =
      Set.of((BUILT_IN_OPTIONS + " " + BUILT_IN_PAGE_OPTIONS + " --help --version").split(" ", -1));

  private static final Pattern OPTION = Pattern.compile("--[a-z][a-z0-9-]*");
  private static final Pattern LABEL = Pattern.compile("[^\\s,]+");

  private final String name;
  private final String description;
  private final PortArguments ports;

  /** Lines as {@link Options#command} wants them. */
  private final List<String> options;

  private final List<String> examples;

  private Program(
      String name,
      String description,
      PortArguments ports,
      List<String> options,
      List<String> examples) {
    this.name = name;
    this.description = description;
    this.ports = ports;
    this.options = options;
    this.examples = examples;
  }

  /**
   * A program without ports.
   *
   * @param name up to 64 letters, digits, dots, dashes and underscores
   * @throws IllegalArgumentException if it has others
   */
  public static Program named(String name) {
    return new Program(
        require(NAME, name, "name of a program"), "", PortArguments.NONE, List.of(), List.of());
  }

  private static String require(Pattern pattern, String text, String what) {
    if (!pattern.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "not the %s: text=%s; write what matches %s".formatted(what, text, pattern));
    }
    return text;
  }

  /** The same, which says in its help what it does. */
  public Program describedAs(String text) {
    return new Program(name, text.strip(), ports, options, examples);
  }

  /**
   * The same with ports, whose addresses are the arguments of the command line: in this order, or
   * {@code NAME=ADDRESS} in any.
   */
  public Program ports(String... names) {
    Stream.of(names).forEach(port -> require(NAME, port, "name of a port"));
    return with(new PortArguments(List.of(names), ports.more()));
  }

  /**
   * The same with as many further ports as the command line has addresses.
   *
   * @param name of which they have theirs: {@code out0}, {@code out1} and so on
   */
  public Program morePorts(String name) {
    return with(new PortArguments(ports.names(), require(NAME, name, "name of ports")));
  }

  private Program with(PortArguments other) {
    return new Program(name, description, other, options, examples);
  }

  /**
   * The same with an option that has a value, for {@link Setup#option}.
   *
   * @param option {@code --name}
   * @param label what the value is, in help: {@code FILE}, one word
   */
  public Program option(String option, String label, String description) {
    require(LABEL, label, "label of an option");
    return with(require(OPTION, option, "name of an option") + " " + label, description);
  }

  /** The same with an option without a value, for {@link Setup#has}. */
  public Program option(String option, String description) {
    return with(require(OPTION, option, "name of an option"), description);
  }

  private Program with(String option, String told) {
    String own = option.split(" ", -1)[0];
    if (BUILT_IN.contains(own) || options.stream().anyMatch(line -> line.matches(own + " .*"))) {
      throw new IllegalArgumentException(
          "option is there already: program=%s, option=%s; choose another name"
              .formatted(name, own));
    }
    String line = option + "  " + told.lines().map(String::strip).collect(Collectors.joining(" "));
    return new Program(name, description, ports, plus(options, line), examples);
  }

  /**
   * The same with an example in its help.
   *
   * @param arguments what follows its name
   */
  public Program example(String arguments) {
    return new Program(name, description, ports, options, plus(examples, arguments));
  }

  private static List<String> plus(List<String> lines, String line) {
    List<String> more = new ArrayList<>(lines);
    more.add(line);
    return List.copyOf(more);
  }

  /**
   * Runs it as the program of this process, and ends the process with its exit status.
   *
   * @param wiring gives the engine's workers their inputs and outputs, or installs a graph, before
   *     the engine starts; what it throws as {@link io.linerate.core.config.ConfigException} is for
   *     the user to change: exit status 2
   */
  public void main(String[] arguments, Consumer<Setup> wiring) {
    CommandRun.main(name, console -> run(console, arguments, wiring));
  }

  /** The same for a graph between the ports. */
  public void main(String[] arguments, Graph graph) {
    main(arguments, setup -> setup.graph(graph));
  }

  /**
   * Runs it within another program, which goes on after that.
   *
   * @return the exit status
   */
  public int run(String[] arguments, Consumer<Setup> wiring) {
    return run(Console.ofProcess(name), arguments, wiring);
  }

  int run(Console console, String[] arguments, Consumer<Setup> wiring) {
    return new CommandRun(spec(), console)
        .run(arguments, given -> new ProgramRun(name, ports, wiring, given, console).run());
  }

  /** The page of help, as Linerate's commands write theirs. */
  private CommandSpec spec() {
    List<String> lines = new ArrayList<>(options);
    lines.add(BUILT_IN_OPTIONS);
    lines.add(BUILT_IN_PAGE_OPTIONS);
    if (!ports.usage().isEmpty()) {
      lines.addFirst(
          "[ADDRESS]...  Its ports: "
              + ports.listed()
              + ". In this order, or NAME=ADDRESS in any, such as pcap:rx=FILE or packet:eth1.");
    }
    return Options.command(
        name,
        description.isEmpty() ? "A program on Linerate." : description,
        List.of("Usage: " + name + ports.usage() + " [OPTIONS]"),
        List.of("It ends when its inputs do, after the time asked for, or when interrupted."),
        lines,
        examples.stream().map(example -> name + " " + example).toList());
  }
}
