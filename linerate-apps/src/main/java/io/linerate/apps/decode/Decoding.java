package io.linerate.apps.decode;

import io.linerate.apps.capture.BudgetedPort;
import io.linerate.apps.capture.PacketBudget;
import io.linerate.core.memory.Packet;
import io.linerate.core.port.Port;
import io.linerate.core.statistics.PacketCounts;
import io.linerate.core.statistics.RunSummary;
import io.linerate.core.worker.Engine;
import io.linerate.decode.DecodeListener;
import io.linerate.decode.Decoder;
import io.linerate.decode.PacketFile;
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
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Receives from a port, decodes, and prints or writes. */
final class Decoding implements Application {
  private final DecodeSource source;
  private final Protocols protocols;
  private final PacketOutput output;
  private final Optional<StreamSettings> streams;
  private final OptionalLong packets;
  private final PieceOutput out;
  private @Nullable GraphRunner runner;
  private @Nullable PacketFile file;

  /** Whether it has run, to whatever end. */
  private boolean hasEnded;

  Decoding(
      DecodeSource source,
      Protocols protocols,
      PacketOutput output,
      Optional<StreamSettings> streams,
      OptionalLong packets,
      Console console) {
    this.source = source;
    this.protocols = protocols;
    this.output = output;
    this.streams = streams;
    this.packets = packets;
    out = new PieceOutput(console, this.source);
  }

  @Override
  public void wire(Engine engine) {
    Port _ = source.open(engine);
    Printing printing = new Printing(engine, output.printer().orElse(null));
    Graph graph =
        Graph.of(g ->
            g.chain(
                g.add("from", new FromPort(DecodeSource.PORT)),
                g.add("decode", new Decode(protocols, streams, () -> printing)),
                g.add("end", new Discard())));
    runner = GraphRunner.install(graph, engine, BudgetedPort.of(packets, engine.config()));
    file = output.table().map(one -> one.create(protocols)).orElse(null);
    output.printer().ifPresent(printer -> printer.begin(out.text()));
  }

  /** On the worker. */
  private final class Printing implements DecodeListener {
    private final Engine engine;
    private final @Nullable PacketPrinter printer;

    Printing(Engine engine, @Nullable PacketPrinter printer) {
      this.engine = engine;
      this.printer = printer;
    }

    @Override
    public void onPacket(Decoder decoder, Packet packet) {
      if (printer != null) {
        printer.print(decoder, out.text());
        out.added(engine);
      }
      PacketFile table = file;
      if (table != null) {
        table.add(decoder);
      }
    }

    @Override
    public void onEndOfBurst() {
      out.shown(engine);
      PacketFile table = file;
      if (table != null && table.failure() != null) {
        engine.stop();
      }
    }
  }

  @Override
  public String goodEnd() {
    return "decoded";
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
    PacketFile table = file;
    return table == null
        ? List.of()
        : output.table().flatMap(one -> one.end(table, hasEnded)).stream().toList();
  }

  @Override
  public void report(RunSummary summary) {
    output.printer().ifPresent(printer -> printer.end(out.text()));
    out.finish(summary);
  }
}
