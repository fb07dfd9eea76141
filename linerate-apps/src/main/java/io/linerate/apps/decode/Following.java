package io.linerate.apps.decode;

import io.linerate.core.config.ConfigException;
import io.linerate.core.memory.SlidingWindowBuffer;
import io.linerate.core.port.Port;
import io.linerate.core.statistics.RunSummary;
import io.linerate.core.worker.Engine;
import io.linerate.decode.element.FollowStreams;
import io.linerate.decode.reassembly.Direction;
import io.linerate.decode.reassembly.StreamEnd;
import io.linerate.decode.reassembly.StreamListener;
import io.linerate.decode.reassembly.StreamSettings;
import io.linerate.decode.reassembly.TcpStream;
import io.linerate.graph.Graph;
import io.linerate.graph.GraphRunner;
import io.linerate.graph.element.Discard;
import io.linerate.graph.element.FromPort;
import io.linerate.program.run.Application;
import io.linerate.program.run.Console;
import io.linerate.wire.FlowKey;
import io.linerate.wire.Ipv4Address;
import io.linerate.wire.Ipv6Address;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Receives from a port, puts streams together, and prints them. */
final class Following implements Application {
  private final DecodeSource source;
  private final StreamSettings settings;
  private final StreamPrinter printer;
  private final long wanted;
  private final PieceOutput out;
  private final OpenLine line = new OpenLine();
  private @Nullable GraphRunner runner;

  /** Streams so far: read when the worker has ended. */
  private long opened;

  /**
   * @param wanted number of the only stream that is printed; -1: all are
   */
  Following(
      DecodeSource source,
      StreamSettings settings,
      StreamPrinter printer,
      long wanted,
      Console console) {
    this.source = source;
    this.settings = settings;
    this.printer = printer;
    this.wanted = wanted;
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
                g.add("follow", new FollowStreams(settings, () -> printing)),
                g.add("end", new Discard())));
    runner = GraphRunner.install(graph, engine);
  }

  @Override
  public String goodEnd() {
    return "decoded";
  }

  @Override
  public @Nullable GraphRunner graph() {
    return runner;
  }

  /** On the worker. */
  private final class Printing implements StreamListener {
    private final Engine engine;

    Printing(Engine engine) {
      this.engine = engine;
    }

    private boolean isWanted(TcpStream stream) {
      return wanted < 0 || wanted == stream.number();
    }

    private void written() {
      out.added(engine);
      out.shown(engine);
    }

    @Override
    public void onOpen(TcpStream stream) {
      opened++;
      if (isWanted(stream)) {
        printer.open(stream, ends(stream.flow()), line, out.text());
        written();
      }
    }

    @Override
    public void onBytes(TcpStream stream, Direction direction) {
      SlidingWindowBuffer window = stream.bytes(direction);
      if (isWanted(stream)) {
        printer.bytes(stream, direction, window, line, out.text());
        written();
      }
      window.slideTo(window.end());
    }

    @Override
    public void onGap(TcpStream stream, Direction direction, long bytes) {
      String to = direction == Direction.TO_SERVER ? "server" : "client";
      remark(stream, "missing to the " + to + ": " + bytes + " bytes");
    }

    @Override
    public void onClose(TcpStream stream, StreamEnd end) {
      remark(stream, end.name().toLowerCase(Locale.ROOT));
    }

    private void remark(TcpStream stream, String remark) {
      if (isWanted(stream)) {
        printer.remark(stream, remark, line, out.text());
        written();
      }
    }
  }

  private static String ends(FlowKey flow) {
    return address(flow, flow.sourceHigh(), flow.sourceLow(), flow.sourcePort())
        + " > "
        + address(flow, flow.destinationHigh(), flow.destinationLow(), flow.destinationPort());
  }

  private static String address(FlowKey flow, long high, long low, int port) {
    return flow.ipVersion() == 4
        ? Ipv4Address.format((int) low) + ":" + port
        : "[" + Ipv6Address.format(high, low) + "]:" + port;
  }

  @Override
  public void report(RunSummary summary) {
    out.finish(summary);
    if (wanted >= 0 && opened <= wanted) {
      throw new ConfigException(
          "no such stream: --stream %d, streams=%d; they are counted from 0 on"
              .formatted(wanted, opened));
    }
  }
}
