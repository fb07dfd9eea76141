package io.linerate.apps.decode;

import io.linerate.apps.capture.BudgetedPort;
import io.linerate.apps.capture.PacketBudget;
import io.linerate.core.config.EngineConfig;
import io.linerate.core.memory.Packet;
import io.linerate.core.port.DriverPort;
import io.linerate.core.port.Port;
import io.linerate.core.statistics.PacketCounts;
import io.linerate.core.statistics.RunSummary;
import io.linerate.core.worker.Engine;
import io.linerate.decode.DecodeListener;
import io.linerate.decode.Decoder;
import io.linerate.decode.Protocols;
import io.linerate.decode.element.Decode;
import io.linerate.decode.reassembly.StreamSettings;
import io.linerate.decode.text.PacketPrinter;
import io.linerate.graph.Graph;
import io.linerate.graph.GraphRunner;
import io.linerate.graph.element.Discard;
import io.linerate.graph.element.FromPort;
import io.linerate.program.run.Application;
import io.linerate.program.run.Console;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Receives from a port, decodes, and prints. */
final class Decoding implements Application {
  private final DecodeSource source;
  private final Protocols protocols;
  private final PacketPrinter printer;
  private final Optional<StreamSettings> streams;
  private final OptionalLong packets;
  private final PieceOutput out;
  private @Nullable GraphRunner runner;

  Decoding(
      DecodeSource source,
      Protocols protocols,
      PacketPrinter printer,
      Optional<StreamSettings> streams,
      OptionalLong packets,
      Console console) {
    this.source = source;
    this.protocols = protocols;
    this.printer = printer;
    this.streams = streams;
    this.packets = packets;
    out = new PieceOutput(console, this.source);
  }

  @Override
  public void wire(Engine engine) {
    Port _ = source.open(engine);
    Printing printing = new Printing(engine);
    Graph graph =
        Graph.of(g ->
            g.chain(
                g.add("from", new FromPort(DecodeSource.PORT)),
                g.add("decode", new Decode(protocols, streams, () -> printing)),
                g.add("end", new Discard())));
    printer.begin(out.text());
    runner = GraphRunner.install(graph, engine, budgeted(engine.config()));
  }

  private UnaryOperator<DriverPort> budgeted(EngineConfig config) {
    if (packets.isEmpty()) {
      return UnaryOperator.identity();
    }
    PacketBudget budget = new PacketBudget(packets.getAsLong());
    return port -> new BudgetedPort(port, budget, config);
  }

  /** On the worker. */
  private final class Printing implements DecodeListener {
    private final Engine engine;

    Printing(Engine engine) {
      this.engine = engine;
    }

    @Override
    public void onPacket(Decoder decoder, Packet packet) {
      printer.print(decoder, out.text());
      out.added(engine);
    }

    @Override
    public void onEndOfBurst() {
      out.shown(engine);
    }
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
  public void report(RunSummary summary) {
    printer.end(out.text());
    out.finish(summary);
  }
}
