package io.linerate.apps.flows;

import io.linerate.analysis.AnalysisSettings;
import io.linerate.analysis.TrafficAnalysis;
import io.linerate.apps.capture.BudgetedPort;
import io.linerate.apps.capture.PacketBudget;
import io.linerate.apps.decode.DecodeSource;
import io.linerate.core.port.Port;
import io.linerate.core.statistics.PacketCounts;
import io.linerate.core.statistics.RunSummary;
import io.linerate.core.worker.Engine;
import io.linerate.dashboard.http.JsonMembers;
import io.linerate.graph.ElementCounts;
import io.linerate.graph.Graph;
import io.linerate.graph.GraphRunner;
import io.linerate.program.run.Application;
import io.linerate.stream.PacketFlow;
import io.linerate.stream.Streams;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Receives from a port, and tells of the traffic in each window. */
final class Windows implements Application {
  private final DecodeSource source;
  private final OptionalLong packets;
  private final AnalysisSettings settings;
  private final WindowsOutput output;
  private @Nullable GraphRunner runner;

  /** What the actors have done until the end. */
  private Map<String, ElementCounts> counts = Map.of();

  /** Whether it has run, to whatever end. */
  private boolean hasEnded;

  Windows(
      DecodeSource source, OptionalLong packets, AnalysisSettings settings, WindowsOutput output) {
    this.source = source;
    this.packets = packets;
    this.settings = settings;
    this.output = output;
  }

  @Override
  public void wire(Engine engine) {
    Port port = source.open(engine);
    output.begin(engine::stop);
    int workers = engine.config().workers();
    Graph graph =
        Streams.graph(s -> {
          PacketFlow all = s.packets("from", DecodeSource.PORT);
          int spread = port.rxQueues() < workers ? workers : 1;
          TrafficAnalysis.reports(all, settings, spread).sink("output", output::add);
        });
    runner = GraphRunner.install(graph, engine, BudgetedPort.of(packets, engine.config()));
  }

  @Override
  public @Nullable GraphRunner graph() {
    return runner;
  }

  @Override
  public Optional<JsonMembers> view() {
    return Optional.of(output.view());
  }

  @Override
  public double done(PacketCounts now) {
    return packets.isPresent() ? (double) PacketBudget.spent(now) / packets.getAsLong() : -1;
  }

  @Override
  public String goodEnd() {
    return "counted";
  }

  @Override
  public void ended() {
    hasEnded = true;
    counts = Objects.requireNonNull(runner, "runner").counts();
  }

  @Override
  public List<String> finish() {
    return output.end(hasEnded);
  }

  @Override
  public void report(RunSummary summary) {
    output.report(counts);
  }
}
