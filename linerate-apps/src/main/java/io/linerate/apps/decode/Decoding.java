package io.linerate.apps.decode;

import io.linerate.apps.capture.BudgetedPort;
import io.linerate.apps.capture.PacketBudget;
import io.linerate.core.config.ConfigException;
import io.linerate.core.memory.Packet;
import io.linerate.core.port.DriverPort;
import io.linerate.core.port.Port;
import io.linerate.core.statistics.PacketCounts;
import io.linerate.core.statistics.RunSummary;
import io.linerate.core.worker.Engine;
import io.linerate.decode.Decoder;
import io.linerate.decode.Protocols;
import io.linerate.decode.element.Decode;
import io.linerate.decode.element.DecodeListener;
import io.linerate.decode.text.PacketPrinter;
import io.linerate.decode.text.TextBuffer;
import io.linerate.graph.Graph;
import io.linerate.graph.GraphRunner;
import io.linerate.graph.element.Discard;
import io.linerate.graph.element.FromPort;
import io.linerate.program.run.Application;
import io.linerate.program.run.Console;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Receives from a port, decodes, and prints. */
final class Decoding implements Application {
  /** What is printed goes out in pieces of so many bytes. */
  private static final int PIECE_BYTES = 1 << 16;

  private final String source;
  private final Protocols protocols;
  private final PacketPrinter printer;
  private final OptionalLong packets;
  private final Console console;
  private final TextBuffer text = new TextBuffer();
  private boolean isFile;
  private @Nullable GraphRunner runner;

  Decoding(
      String source,
      Protocols protocols,
      PacketPrinter printer,
      OptionalLong packets,
      Console console) {
    this.source = source;
    this.protocols = protocols;
    this.printer = printer;
    this.packets = packets;
    this.console = console;
  }

  @Override
  public void wire(Engine engine) {
    isFile = Files.exists(Path.of(source)) || !source.matches("[a-z]+:.*");
    Port port = engine.port("source", isFile ? "pcap:rx=" + source + ",linktype=any" : source);
    if (port.rxQueues() == 0) {
      throw new ConfigException(
          "port does not receive: address=%s; name a capture file, or give it a source, such as rx=FILE"
              .formatted(source));
    }
    Printing printing = new Printing(engine);
    Graph graph =
        Graph.of(g ->
            g.chain(
                g.add("from", new FromPort("source")),
                g.add("decode", new Decode(protocols, () -> printing)),
                g.add("end", new Discard())));
    printer.begin(text);
    runner = GraphRunner.install(graph, engine, budgeted());
  }

  private UnaryOperator<DriverPort> budgeted() {
    if (packets.isEmpty()) {
      return UnaryOperator.identity();
    }
    PacketBudget budget = new PacketBudget(packets.getAsLong());
    return port -> new BudgetedPort(port, budget);
  }

  /** On the worker. */
  private final class Printing implements DecodeListener {
    private final Engine engine;

    Printing(Engine engine) {
      this.engine = engine;
    }

    @Override
    public void onPacket(Decoder decoder, Packet packet) {
      printer.print(decoder, text);
      if (text.length() >= PIECE_BYTES) {
        write(false);
      }
    }

    /** What came from a port is shown at once. */
    @Override
    public void onEndOfBurst() {
      if (!isFile && text.length() > 0) {
        write(true);
      }
    }

    private void write(boolean isFlushed) {
      if (!console.write(text::writeTo, isFlushed)) {
        engine.stop();
      }
      text.clear();
    }
  }

  @Override
  public @Nullable GraphRunner graph() {
    return runner;
  }

  @Override
  public double done(PacketCounts now) {
    return packets.isPresent() ? (double) now.received() / packets.getAsLong() : -1;
  }

  @Override
  public void report(RunSummary summary) {
    printer.end(text);
    boolean _ = console.write(text::writeTo, true);
    text.clear();
  }
}
