package io.linerate.example;

import io.linerate.core.memory.Burst;
import io.linerate.core.memory.Packet;
import io.linerate.core.worker.BurstHandler;
import io.linerate.graph.Element;
import io.linerate.graph.Outlet;
import io.linerate.graph.Shape;
import io.linerate.graph.ValueType;
import io.linerate.graph.Wiring;
import java.util.List;

/**
 * Sends every packet on, and a copy of each n-th to another output.
 *
 * <pre>
 * inputs      in
 * outputs     out; samples (may be left unconnected)
 * parameters  n: at least 1
 * reads       samples: copies sent; n
 * writes      n
 * </pre>
 */
public record Sampler(long n) implements Element {
  @Override
  public Shape shape() {
    return Shape.inOut().optionalOutput("samples");
  }

  @Override
  public List<String> problems() {
    return n > 0 ? List.of() : List.of("sampler takes none: n=" + n + "; write 1 or more");
  }

  @Override
  public void open(Wiring wiring) {
    State state = new State(n, wiring);
    wiring.input("in", state);
    wiring.count("samples", () -> state.samples);
    wiring.read("n", ValueType.NUMBER, () -> state.n);
    wiring.write("n", ValueType.NUMBER, value -> state.n = Math.max(1, value));
  }

  /** On one worker: no other thread comes here. */
  private static final class State implements BurstHandler {
    private final Outlet out;
    private final Outlet copies;
    private long n;
    private long seen;
    private long samples;

    State(long n, Wiring wiring) {
      this.n = n;
      out = wiring.output("out");
      copies = wiring.output("samples");
    }

    @Override
    public void onBurst(Burst burst) {
      for (Packet packet : burst) {
        if (++seen % n == 0 && copies.copy(packet)) {
          samples++;
        }
      }
      out.push(burst);
    }
  }
}
