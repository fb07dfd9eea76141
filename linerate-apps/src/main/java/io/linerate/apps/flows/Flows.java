package io.linerate.apps.flows;

import io.linerate.apps.capture.BudgetedPort;
import io.linerate.apps.capture.PacketBudget;
import io.linerate.apps.decode.DecodeSource;
import io.linerate.core.port.Port;
import io.linerate.core.statistics.PacketCounts;
import io.linerate.core.statistics.RunSummary;
import io.linerate.core.worker.Engine;
import io.linerate.graph.Graph;
import io.linerate.graph.GraphRunner;
import io.linerate.graph.element.Discard;
import io.linerate.graph.element.FromPort;
import io.linerate.program.run.Application;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Receives from a port, makes flows, and drops the packets. */
final class Flows implements Application {
  private final DecodeSource source;
  private final OptionalLong packets;
  private final FlowsOutput output;
  private @Nullable GraphRunner runner;

  /** Whether it has run, to whatever end. */
  private boolean hasEnded;

  Flows(DecodeSource source, OptionalLong packets, FlowsOutput output) {
    this.source = source;
    this.packets = packets;
    this.output = output;
  }

  @Override
  public void wire(Engine engine) {
    Port _ = source.open(engine);
    output.begin();
    Graph graph =
        Graph.of(g ->
            g.chain(
                g.add("from", new FromPort(DecodeSource.PORT)),
                g.add(
                    "meter",
                    new MeterFlows(
                        worker -> output.newMeter(worker, engine::stop), source.isRecorded())),
                g.add("end", new Discard())));
    runner = GraphRunner.install(graph, engine, BudgetedPort.of(packets, engine.config()));
  }

  @Override
  public @Nullable GraphRunner graph() {
    return runner;
  }

  @Override
  public double done(PacketCounts now) {
    return packets.isPresent() ? (double) PacketBudget.spent(now) / packets.getAsLong() : -1;
  }

  @Override
  public void ended() {
    hasEnded = true;
  }

  @Override
  public List<String> finish() {
    return output.end(hasEnded);
  }

  @Override
  public void report(RunSummary summary) {
    output.report();
  }
}
