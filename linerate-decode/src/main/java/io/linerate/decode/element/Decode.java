package io.linerate.decode.element;

import io.linerate.core.memory.Burst;
import io.linerate.core.memory.Packet;
import io.linerate.core.worker.BurstHandler;
import io.linerate.decode.DecodeListener;
import io.linerate.decode.Decoder;
import io.linerate.decode.Protocols;
import io.linerate.decode.StreamDecoder;
import io.linerate.decode.reassembly.StreamSettings;
import io.linerate.graph.Element;
import io.linerate.graph.Outlet;
import io.linerate.graph.Shape;
import io.linerate.graph.Wiring;
import java.security.SecureRandom;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds the layers of packets, shows them to a listener, and passes the packets on.
 *
 * <pre>
 * inputs      in
 * outputs     out
 * parameters  protocols: that it knows, and which numbers stand for them
 *             streams: how much is kept of the streams of TCP, whose messages it puts together;
 *             empty: nothing, each segment is looked at alone
 *             listeners: makes one for each worker
 * drops       consumed: packets whose bytes were needed after their burst
 *             held_full: packets whose bytes are needed after their burst when too many are held,
 *             32,767 or an eighth of the worker's buffers
 * reads       decoded, malformed, cut: packets
 * example     g.add("look", new Decode(Protocols.standard(), Optional.empty(), () -> (decoder, packet) -> count(decoder)))
 * </pre>
 */
public record Decode(
    Protocols protocols,
    Optional<StreamSettings> streams,
    Supplier<? extends DecodeListener> listeners)
    implements Element {
  @Override
  public Shape shape() {
    return Shape.inOut().anyLink();
  }

  @Override
  public void open(Wiring wiring) {
    Worker worker = new Worker(this, wiring);
    wiring.input("in", worker);
    wiring.onLeave(worker::leave);
    wiring.count("decoded", () -> worker.decoder.frame().number());
    wiring.count("malformed", () -> worker.malformed);
    wiring.count("cut", () -> worker.cut);
  }

  /** On one worker. */
  private static final class Worker implements BurstHandler, Consumer<Packet>, DecodeListener {
    private final Decoder decoder;
    private final DecodeListener listener;
    private final @Nullable StreamDecoder streams;
    private final Outlet out;
    private long malformed;
    private long cut;

    Worker(Decode parameters, Wiring wiring) {
      listener = parameters.listeners.get();
      out = wiring.output("out");
      streams =
          parameters
              .streams
              .map(settings ->
                  new StreamDecoder(
                      parameters.protocols, settings, wiring::hold, this, new SecureRandom()))
              .orElse(null);
      decoder = streams == null ? new Decoder(parameters.protocols) : streams.decoder();
    }

    void leave() {
      if (streams != null) {
        streams.close();
      }
    }

    @Override
    public void onBurst(Burst burst) {
      if (streams == null) {
        decoder.decode(burst, this);
      } else {
        burst.forEach(this);
      }
      listener.onEndOfBurst();
      out.push(burst);
    }

    @Override
    public void accept(Packet packet) {
      if (streams != null) {
        streams.decode(packet);
      }
    }

    @Override
    public void onPacket(Decoder found, Packet packet) {
      listener.onPacket(found, packet);
      switch (found.mark()) {
        case MALFORMED -> malformed++;
        case CUT -> cut++;
        case SOUND -> {}
      }
    }
  }
}
