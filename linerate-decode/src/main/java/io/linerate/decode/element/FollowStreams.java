package io.linerate.decode.element;

import io.linerate.core.memory.Burst;
import io.linerate.core.memory.Packet;
import io.linerate.core.worker.BurstHandler;
import io.linerate.decode.reassembly.StreamListener;
import io.linerate.decode.reassembly.StreamSettings;
import io.linerate.decode.reassembly.TcpReassembler;
import io.linerate.decode.reassembly.TcpStream;
import io.linerate.graph.Element;
import io.linerate.graph.Outlet;
import io.linerate.graph.Shape;
import io.linerate.graph.Wiring;
import io.linerate.wire.HeaderScanner;
import java.security.SecureRandom;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Puts the streams of TCP together, gives their bytes in order to a listener, and passes packets
 * on, but for those whose bytes were needed longer than their burst.
 *
 * <pre>
 * inputs      in
 * outputs     out
 * parameters  settings: how much is kept of streams, for how long, and which of overlapping bytes
 *             listeners: makes one for each worker
 * drops       consumed: packets whose bytes were needed after their burst
 *             held_full: packets whose bytes are needed after their burst when too many are held,
 *             32,767 or an eighth of the worker's buffers
 * reads       streams: that were opened; untracked: segments of streams that there was no room for
 * example     g.add("follow", new FollowStreams(StreamSettings.DEFAULT, Listener::new))
 * </pre>
 */
public record FollowStreams(StreamSettings settings, Supplier<? extends StreamListener> listeners)
    implements Element {
  private static final int HELD_PACKETS = 32_767;

  @Override
  public Shape shape() {
    return Shape.inOut().anyLink();
  }

  @Override
  public void open(Wiring wiring) {
    Worker worker = new Worker(this, wiring);
    wiring.input("in", worker);
    wiring.onLeave(worker.reassembler::close);
    wiring.count("streams", worker.reassembler::opened);
    wiring.count("untracked", worker.reassembler::untracked);
  }

  /** On one worker. */
  private static final class Worker implements BurstHandler, Consumer<Packet> {
    private final Outlet out;
    private final HeaderScanner scanner = new HeaderScanner();
    private final TcpReassembler reassembler;

    Worker(FollowStreams parameters, Wiring wiring) {
      out = wiring.output("out");
      reassembler =
          new TcpReassembler(
              parameters.settings,
              wiring.hold(HELD_PACKETS),
              parameters.listeners.get(),
              new SecureRandom());
    }

    @Override
    public void onBurst(Burst burst) {
      burst.forEach(this);
      out.push(burst);
    }

    @Override
    public void accept(Packet packet) {
      if (scanner.scanAny(packet)) {
        TcpStream _ = reassembler.add(packet, scanner, packet.timestampNs());
      }
    }
  }
}
