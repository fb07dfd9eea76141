package io.linerate.decode.element;

import io.linerate.core.memory.Burst;
import io.linerate.core.memory.Packet;
import io.linerate.core.worker.BurstHandler;
import io.linerate.decode.Decoder;
import io.linerate.decode.Protocols;
import io.linerate.graph.Element;
import io.linerate.graph.Outlet;
import io.linerate.graph.Shape;
import io.linerate.graph.Wiring;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Finds the layers of packets, shows them to a listener, and passes the packets on.
 *
 * <pre>
 * inputs      in
 * outputs     out
 * parameters  protocols: that it knows, and which numbers stand for them
 *             listeners: makes one for each worker
 * drops       none
 * reads       decoded, malformed, cut: packets
 * example     g.add("look", new Decode(Protocols.standard(), () -> (decoder, packet) -> count(decoder)))
 * </pre>
 */
public record Decode(Protocols protocols, Supplier<? extends DecodeListener> listeners)
    implements Element {
  @Override
  public Shape shape() {
    return Shape.inOut().anyLink();
  }

  @Override
  public void open(Wiring wiring) {
    Worker worker = new Worker(protocols, listeners.get(), wiring.output("out"));
    wiring.input("in", worker);
    wiring.count("decoded", () -> worker.decoder.frame().number());
    wiring.count("malformed", () -> worker.malformed);
    wiring.count("cut", () -> worker.cut);
  }

  /** On one worker. */
  private static final class Worker implements BurstHandler, Consumer<Packet> {
    private final Decoder decoder;
    private final DecodeListener listener;
    private final Outlet out;
    private long malformed;
    private long cut;

    Worker(Protocols protocols, DecodeListener listener, Outlet out) {
      decoder = new Decoder(protocols);
      this.listener = listener;
      this.out = out;
    }

    @Override
    public void onBurst(Burst burst) {
      burst.forEach(this);
      listener.onEndOfBurst();
      out.push(burst);
    }

    @Override
    public void accept(Packet packet) {
      decoder.decode(packet);
      listener.onPacket(decoder, packet);
      switch (decoder.mark()) {
        case MALFORMED -> malformed++;
        case CUT -> cut++;
        case SOUND -> {}
      }
    }
  }
}
