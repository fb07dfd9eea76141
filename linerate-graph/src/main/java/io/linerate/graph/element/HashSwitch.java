package io.linerate.graph.element;

import io.linerate.core.memory.Burst;
import io.linerate.core.memory.Packet;
import io.linerate.core.worker.BurstHandler;
import io.linerate.graph.Element;
import io.linerate.graph.Outlet;
import io.linerate.graph.Shape;
import io.linerate.graph.Wiring;
import io.linerate.wire.FlowKey;
import io.linerate.wire.HeaderScanner;
import java.util.List;

/**
 * Sends all packets of a flow to the same one of its outputs, both directions to the same: by a
 * hash of addresses, protocol and ports. All fragments of a datagram go one way, but not that of
 * the flow's whole packets, since only the first fragment has ports.
 *
 * <pre>
 * inputs      in
 * outputs     out1, out2, ...; what is not IP goes to out1
 * parameters  outputs: 1 to 64
 *             seed: changes the choice; one that nobody knows makes it hard to choose flows that
 *             all go one way. HashSwitch(outputs) has 0
 * drops       none
 * example     g.chain(in, g.add("spread", new HashSwitch(4)), ...)
 * </pre>
 */
public record HashSwitch(int outputs, long seed) implements Element {
  public HashSwitch(int outputs) {
    this(outputs, 0);
  }

  @Override
  public Shape shape() {
    return NumberedOutputs.shape(outputs);
  }

  @Override
  public List<String> problems() {
    return NumberedOutputs.problems(outputs);
  }

  @Override
  public void open(Wiring wiring) {
    wiring.input("in", new Spreader(NumberedOutputs.of(wiring, outputs), seed));
  }

  /** On one worker. */
  private static final class Spreader implements BurstHandler {
    private final Outlet[] outputs;
    private final FlowKey key;
    private final HeaderScanner scanner = new HeaderScanner();

    Spreader(Outlet[] outputs, long seed) {
      this.outputs = outputs;
      key = new FlowKey(seed);
    }

    @Override
    public void onBurst(Burst burst) {
      for (Packet packet : burst) {
        outputs[output(packet)].send(packet);
      }
    }

    /** The upper half of the hash, scaled to the number of outputs: no division. */
    private int output(Packet packet) {
      if (!scanner.scan(packet) || !key.read(packet, scanner)) {
        return 0;
      }
      return (int) (((key.symmetricHash() >>> 32) * outputs.length) >>> 32);
    }
  }
}
