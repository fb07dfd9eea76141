package io.linerate.bench.middlebox;

import io.linerate.core.config.EngineConfig;
import io.linerate.core.config.Idle;
import io.linerate.core.statistics.RunSummary;
import io.linerate.core.worker.Engine;
import io.linerate.graph.Graph;
import io.linerate.graph.GraphBuilder;
import io.linerate.graph.GraphRunner;
import io.linerate.program.run.Application;
import io.linerate.program.run.Console;
import io.linerate.program.run.EngineRun;
import io.linerate.program.run.SummaryJson;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A middlebox as a program under measurement: from a port to another one. The last arguments are
 * those of {@link io.linerate.bench.duel.Match#javaCommand}.
 */
final class BoxProgram implements Application {
  /** The port that it receives from. */
  static final String IN = "in";

  /** The port that it transmits to. */
  static final String OUT = "out";

  /** The port that brings what is to be known beforehand. */
  static final String SETUP = "setup";

  private static final int ARGUMENTS = 6;

  private final String in;
  private final String out;
  private final String setup;
  private final Consumer<GraphBuilder> graph;

  private BoxProgram(String in, String out, String setup, Consumer<GraphBuilder> graph) {
    this.in = in;
    this.out = out;
    this.setup = setup;
    this.graph = graph;
  }

  /**
   * Runs it until the harness ends it, and prints a summary.
   *
   * @param setup address of a port that brings frames beforehand; "": none
   * @param graph from {@link #IN}, and {@link #SETUP} if there is one, to {@link #OUT}
   */
  static void run(String[] arguments, String setup, Consumer<GraphBuilder> graph) {
    List<String> last = List.of(arguments).subList(arguments.length - ARGUMENTS, arguments.length);
    int burst = Integer.parseInt(last.get(2));
    EngineConfig config =
        EngineConfig.DEFAULT
            .withIdle(Idle.BUSY_SPIN)
            .withRxBurst(burst)
            .withTxBurst(burst)
            .withFreeBurst(burst)
            .withCpus(List.of(Integer.parseInt(last.get(3))))
            .withBuffers(Integer.parseInt(last.get(4)))
            .withMemoryMiB(Integer.parseInt(last.get(5)));
    System.exit(
        new EngineRun(
                config, Optional.empty(), Optional.empty(), Console.ofProcess("linerate-bench"))
            .quiet()
            .run(new BoxProgram(last.get(0), last.get(1), setup, graph)));
  }

  @Override
  public void wire(Engine engine) {
    engine.port(IN, in);
    engine.port(OUT, out);
    if (!setup.isEmpty()) {
      engine.port(SETUP, setup);
    }
    GraphRunner.install(Graph.of(graph), engine);
  }

  @Override
  public void report(RunSummary summary) {
    SummaryJson.print(System.out, summary, json -> {});
  }
}
