package io.linerate.graph.element;

import io.linerate.core.memory.Burst;
import io.linerate.core.memory.Packet;
import io.linerate.core.worker.BurstHandler;
import io.linerate.graph.Outlet;
import io.linerate.graph.Shape;
import io.linerate.graph.Wiring;

/**
 * Sends packets to its outputs in turn, whatever flow they are of: see HashSwitch for one that
 * keeps flows together.
 *
 * <pre>
 * inputs      in
 * outputs     out1, out2, ...
 * parameters  outputs: 1 to 64
 * drops       none
 * example     g.chain(in, g.add("turn", new RoundRobinSwitch(2)), ...)
 * </pre>
 */
public record RoundRobinSwitch(int outputs) implements NumberedOutputs {
  @Override
  public Shape shape() {
    return NumberedOutputs.super.shape().anyLink();
  }

  @Override
  public void open(Wiring wiring) {
    wiring.input("in", new Turn(NumberedOutputs.of(wiring, "out", outputs)));
  }

  /** On one worker. */
  private static final class Turn implements BurstHandler {
    private final Outlet[] outputs;
    private int next;

    Turn(Outlet[] outputs) {
      this.outputs = outputs;
    }

    @Override
    public void onBurst(Burst burst) {
      for (Packet packet : burst) {
        int output = next;
        next = output + 1 == outputs.length ? 0 : output + 1;
        outputs[output].send(packet);
      }
    }
  }
}
